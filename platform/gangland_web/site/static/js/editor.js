// @ts-check
/**
 * The editor page: CodeMirror replaces the form's text area, completes names from the reference, and keeps unsaved text
 * in the browser.
 */

import { createEditor } from "../codemirror/codemirror.js";
import { keptText } from "./editor_storage.js";
import { connectForm } from "./editor_upload.js";

/** @typedef {{label: string, type: string, detail: string, info: string, class_name: string, item_class: string}} Member */
/** @typedef {{names: Record<string, string>, classes: Record<string, Member[]>, methods: Member[]}} Completions */

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-editor]"));
const MAX_STEPS = 5; // the maximum number of assignments to follow

/**
 * Return the class of a chain of names such as "view.turns[0]", or "" if it is unknown.
 * @param {Completions} known
 * @param {string} before the text that may assign the first name
 * @param {string} chain
 * @param {number} steps
 * @returns {string}
 */
function classOf(known, before, chain, steps = MAX_STEPS) {
  const [first, ...rest] = chain.split(".").map((part) => ({ name: part.replace(/\[.*$/, ""), isItem: part.endsWith("]") }));
  const isKnown = first.name in known.names;
  if (isKnown && first.isItem) return "";
  let found = isKnown ? known.names[first.name] : assignedClass(known, before, first, steps);
  for (const { name, isItem } of rest) {
    const member = (known.classes[found] ?? []).find((each) => each.label === name);
    found = (isItem ? member?.item_class : member?.class_name) ?? "";
  }
  return found;
}

/**
 * Return the class of a name from its last plain assignment ("card = view.card") or loop ("for turn in view.turns:").
 * @param {Completions} known
 * @param {string} before
 * @param {{name: string, isItem: boolean}} wanted
 * @param {number} steps
 * @returns {string}
 */
function assignedClass(known, before, { name, isItem }, steps) {
  if (steps === 0 || !/^\w+$/.test(name)) return "";
  const source = String.raw`^[ \t]*(?:${name}[ \t]*=|(for)[ \t]+${name}[ \t]+in)[ \t]*([A-Za-z_][\w.]*(?:\[[^[\]\n]*\])?)[ \t]*:?[ \t]*(?:#.*)?$`;
  const last = [...before.matchAll(new RegExp(source, "gm"))].at(-1);
  if (!last) return "";
  const isIndexed = isItem || last[1] === "for";
  return classOf(known, before.slice(0, last.index), last[2] + (isIndexed ? "[0]" : ""), steps - 1);
}

/**
 * Return the completions after a chain of names that ends in a dot, such as "view.card.", or after "def ".
 * @param {Completions} known
 * @param {string} before
 * @param {string} chain
 * @returns {Member[]}
 */
function membersAfter(known, before, chain) {
  if (chain === "") return /\bdef $/.test(before) ? known.methods : [];
  return known.classes[classOf(known, before, chain.slice(0, -1))] ?? [];
}

/** @param {string} address @returns {{current: Completions}} */
function loadCompletions(address) {
  const known = { current: /** @type {Completions} */ ({ names: {}, classes: {}, methods: [] }) };
  fetch(address).then((answer) => answer.json()).then((found) => { known.current = found; }, () => {});
  return known;
}

/** Search the reference: hide entries that do not contain every word. */
function searchReference() {
  const field = document.querySelector("#find");
  const found = document.querySelector("[data-found]");
  if (!(field instanceof HTMLInputElement) || !found) return;
  const parts = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("[data-part]")]);
  const open = parts.map((part) => part.open);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (/** @type {Element | null} */ element) =>
      words.every((word) => element?.textContent?.toLowerCase().includes(word));
    let count = 0;
    for (const [i, part] of parts.entries()) {
      const isMatch = matches(part.querySelector("summary")) || matches(part.querySelector(":scope > .doc"));
      const entries = /** @type {HTMLElement[]} */ ([...part.querySelectorAll("[data-entry]")]);
      const shown = entries.filter((entry) => matches(entry));
      for (const entry of entries) entry.hidden = !shown.includes(entry);
      part.hidden = !isMatch && shown.length === 0;
      part.open = words.length ? !part.hidden : open[i];
      count += shown.length + Number(isMatch);
    }
    found.textContent = words.length ? `${count} found` : "";
  });
}

/**
 * Draw the markers of problems, because CodeMirror's are data: images, which the content security policy blocks.  Make
 * the close button of the search large enough for touch.
 * @param {HTMLElement} place
 */
function drawMarkers(place) {
  const marks = new CSSStyleSheet();
  marks.replaceSync(`
    .cm-editor .cm-lintRange-error { background-image: none; text-decoration: underline wavy var(--blood); }
    .cm-editor .cm-lint-marker-error { content: normal; border-radius: 50%; background: var(--blood); }
    .cm-editor .cm-panel.cm-search [name="close"] { min-inline-size: 24px; min-block-size: 24px; }`);
  place.shadowRoot?.adoptedStyleSheets.push(marks);
}

/** @param {HTMLFormElement} form */
function initialize(form) {
  const area = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea"));
  const place = /** @type {HTMLElement} */ (form.querySelector("[data-place]"));
  const known = loadCompletions(form.dataset.completions ?? "");
  const kept = keptText(form, () => editor.text(), (text) => editor.replace(text));
  place.classList.add("arriving"); // until it is laid out, so that the page does not move
  place.hidden = false;
  const editor = createEditor(place, {
    text: area.value,
    label: "Source. Tab indents. To leave the editor press Escape, then Tab.",
    onChange: () => {
      area.value = editor.text();
      kept.changed();
    },
    complete: (before, chain) => membersAfter(known.current, before, chain),
  });
  drawMarkers(place);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    place.classList.remove("arriving");
    area.hidden = true;
  }));
  form.querySelector("label[for=source]")?.addEventListener("click", () => editor.goToLine(1));
  kept.offer();
  connectForm(form, editor, kept.saved);
  searchReference();
}

if (form) initialize(form);
