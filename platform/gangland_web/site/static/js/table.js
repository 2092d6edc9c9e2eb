// @ts-check
/**
 * A person's table: answers go without leaving the page, what may be chosen on the felt can be clicked, the bots' steps
 * are shown one after the other, and a screen reader is told what happens and what is asked.
 *
 * The server draws everything: whatever a form or a link of the table leads to is fetched and put in its place.
 */

const POLL_MS = 150;
const HINT_MS = 500;
/** The server ends a table that was left for three minutes, once somebody needs its place. */
const SEEN_MS = 60_000;
const KEY = "gangland-pace";
const place = document.querySelector("[data-play]");
const said = document.querySelector("[data-said]");
const pace = document.querySelector("[data-pace]");
/** Counts what was asked for, so that an older answer does not overwrite a newer one. */
let asked = 0;
/** @type {(() => void) | null} */
let skip = null;
/** By part: which of the things on the felt that stand for it are chosen, by their places among them. */
const clickedAt = /** @type {Map<string, number[]>} */ (new Map());

if (place instanceof HTMLElement && pace instanceof HTMLSelectElement) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const kept = stored();
  document.querySelector("[data-scripted]")?.removeAttribute("hidden");
  pace.value = kept ?? (still ? "0" : pace.value);
  if (pace.selectedIndex < 0) pace.selectedIndex = 1;
  pace.addEventListener("change", () => {
    keep(pace.value);
    if (pace.value === "0") skip?.();
  });
  place.addEventListener("submit", (event) => submitted(place, event));
  place.addEventListener("click", (event) => clicked(place, event));
  document.addEventListener("keydown", (event) => pressed(place, event));
  ready(place);
  setInterval(() => seen(place), SEEN_MS);
}

/** The pace that was chosen before; null where the browser keeps nothing. */
function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} value */
function keep(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // it holds until the page is left
  }
}

/**
 * @param {HTMLElement} table
 * @param {SubmitEvent} event
 */
function submitted(table, event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-answer], [data-more], [data-ask-hint]")) return;
  event.preventDefault();
  const data = new FormData(form), by = event.submitter;
  if (by instanceof HTMLButtonElement && by.name) data.append(by.name, by.value);
  if (form.method === "post") {
    const body = new URLSearchParams();
    data.forEach((value, name) => body.append(name, String(value)));
    if (form.matches("[data-ask-hint]")) {
      fetched(table, form.action, { method: "POST", body }, false).then((found) => found && hinted(table));
      return;
    }
    const question = form.closest("[data-question]");
    question?.setAttribute("inert", ""); // one answer a question
    fetched(table, form.action, { method: "POST", body }).then((found) => {
      question?.removeAttribute("inert");
      if (found) focus(table, "#question");
      table.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
    });
  } else narrow(table, data.getAll("part").map(String), "[data-more] button, [data-answer] button");
}

/**
 * @param {HTMLElement} table
 * @param {MouseEvent} event
 */
function clicked(table, event) {
  const target = event.target instanceof Element ? event.target : null;
  const back = target?.closest("a[data-back]");
  if (target?.closest("[data-skip]")) skip?.();
  else if (back instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    narrow(table, chosen(table).slice(0, -1), "#question");
  } else {
    const part = target?.closest("[data-part]");
    if (part && table.contains(part)) choose(table, part);
  }
}

/**
 * @param {HTMLElement} table
 * @param {KeyboardEvent} event
 */
function pressed(table, event) {
  if (event.key !== "Escape" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (skip) skip();
  else if (chosen(table).length) narrow(table, chosen(table).slice(0, -1), "#question");
}

/**
 * The parts of a decision that are chosen.
 *
 * @param {Element} table
 * @returns {string[]}
 */
function chosen(table) {
  return listOf(table, "data-chosen");
}

/**
 * The parts that the question names in an attribute.
 *
 * @param {Element} table
 * @param {string} name
 * @returns {string[]}
 */
function listOf(table, name) {
  return JSON.parse(table.querySelector("[data-question]")?.getAttribute(name) ?? "[]");
}

/**
 * Choose what lies on the felt, or take it back if it is chosen; what stands for several dice can be chosen once more.
 *
 * @param {HTMLElement} table
 * @param {Element} part
 */
function choose(table, part) {
  const id = part.getAttribute("data-part") ?? "", now = chosen(table), last = now.lastIndexOf(id);
  const same = alikeOnFelt(table, id), at = same.indexOf(part), before = clickedAt.get(id) ?? [];
  const back = part.hasAttribute("data-picked") && !(same.length === 1 && listOf(table, "data-may").includes(id));
  clickedAt.set(id, back ? before.filter((each) => each !== at) : [...before, at]);
  narrow(table, back ? now.filter((_, index) => index !== last) : [...now, id], "");
}

/**
 * What stands for a part on the felt: one thing, or each of several dice or cards.
 *
 * @param {Element} table
 * @param {string} id
 */
function alikeOnFelt(table, id) {
  return [...table.querySelectorAll(`[data-felt] [data-part="${id}"]`)];
}

/**
 * Ask what is left of the decisions once these parts are chosen.
 *
 * @param {HTMLElement} table
 * @param {string[]} parts
 * @param {string} then what gets the focus; "" for nothing
 */
function narrow(table, parts, then) {
  const query = new URLSearchParams(parts.map((part) => ["part", part]));
  fetched(table, `${location.pathname}?${query}`, {}, false).then((found) => {
    if (!found) return;
    if (then) focus(table, then);
    const listed = table.querySelectorAll("[data-answer] input[type=radio]").length;
    const left = listed ? `${listed} left to choose from.` : table.querySelector("[data-question] > p")?.textContent;
    if (said) said.textContent = table.querySelector("[role=alert]")?.textContent ?? left ?? "";
  });
}

/**
 * Fetch the table's page and put it in its place; whether that was done.
 *
 * @param {HTMLElement} table
 * @param {string} url
 * @param {RequestInit} init
 * @param {boolean} steps whether what happened since is shown step by step
 */
async function fetched(table, url, init, steps = true) {
  const mine = ++asked;
  skip?.();
  /** @type {Response | null} */
  const answer = await fetch(url, init).catch(() => null);
  if (mine !== asked) return false;
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page?.querySelector("[data-play]");
  if (!answer || (!fresh && !answer.ok)) {
    if (said) said.textContent = "The site did not answer. Try again.";
    setTimeout(() => ready(table), 10 * POLL_MS);
    return false;
  }
  if (!fresh) {
    table.setAttribute("inert", ""); // the game is over, and its page comes
    location.assign(answer.url);
    return false;
  }
  table.replaceChildren(...fresh.childNodes);
  if (steps) await shown(table, mine);
  if (mine !== asked) return false;
  ready(table);
  return true;
}

/**
 * Show what happened since the last decision, step by step, then the table as it is now.
 *
 * @param {HTMLElement} table
 * @param {number} mine
 */
async function shown(table, mine) {
  const felt = table.querySelector("[data-felt]"), question = table.querySelector("[data-question]");
  /** @type {NodeListOf<HTMLTemplateElement>} */
  const steps = table.querySelectorAll("template[data-step]");
  const now = felt ? [...felt.childNodes] : [];
  const status = table.querySelector("[data-now]");
  if (felt && status && steps.length && waits() > 0) {
    let skipped = false;
    question?.setAttribute("hidden", "");
    status.removeAttribute("hidden");
    felt.scrollIntoView({ block: "nearest" });
    for (const step of steps) {
      felt.replaceChildren(step.content.cloneNode(true));
      const line = status.querySelector("[data-line]");
      if (line) line.textContent = step.dataset.step ?? "";
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, waits());
        skip = () => {
          skipped = true;
          clearTimeout(timer);
          resolve(null);
        };
      });
      if (skipped || mine !== asked) break;
    }
    skip = null;
    felt.replaceChildren(...now);
    status.setAttribute("hidden", "");
    question?.removeAttribute("hidden");
  }
  const story = [...steps].map((step) => step.dataset.step);
  if (said) said.textContent = [...story, table.querySelector("#question")?.textContent].filter(Boolean).join(" ");
}

function waits() {
  return pace instanceof HTMLSelectElement ? Number(pace.value) : 0;
}

/**
 * Mark what is chosen on the felt, and ask again while the bots decide.  By keyboard the form does: it has all parts.
 *
 * @param {HTMLElement} table
 */
function ready(table) {
  const now = chosen(table);
  mark(table, "data-picked", now, clickedAt);
  lay(table, now);
  mark(table, "data-best", listOf(table, "data-hinted"), new Map());
  if (table.querySelector("[data-bots]")) setTimeout(() => poll(table), POLL_MS);
  const mine = asked;
  if (table.querySelector("[data-hint-waits]")) setTimeout(() => mine === asked && look(table), HINT_MS);
}

/**
 * Give what lies on the felt an attribute, as often as a part is named: of several alike those that are wanted first.
 *
 * @param {Element} table
 * @param {string} name
 * @param {string[]} named
 * @param {Map<string, number[]>} wanted by part, places among those alike; what was marked is put there
 */
function mark(table, name, named, wanted) {
  for (const id of new Set([...table.querySelectorAll("[data-felt] [data-part]")].map((part) => part.getAttribute("data-part") ?? ""))) {
    const same = alikeOnFelt(table, id), count = named.filter((each) => each === id).length;
    const marked = [...new Set([...(wanted.get(id) ?? []).filter((at) => at < same.length), ...same.keys()])].slice(0, count);
    same.forEach((part, at) => part.toggleAttribute(name, marked.includes(at)));
    wanted.set(id, marked);
  }
}

/**
 * Lay each favor that is chosen for a token on it.
 *
 * @param {HTMLElement} table
 * @param {string[]} now what is chosen: a favor and its token, or the other way round, one pair after the other
 */
function lay(table, now) {
  for (let at = 0; at + 1 < now.length; at += 2) {
    const [favor, token] = ["favor:", "token:"].map((kind) => now.slice(at, at + 2).find((part) => part.startsWith(kind)));
    const card = favor && table.querySelector(`[data-felt] [data-part="${favor}"]`);
    const copy = card && card.cloneNode(true);
    if (!(copy instanceof HTMLElement)) continue;
    for (const name of ["data-part", "data-picked"]) copy.removeAttribute(name);
    copy.dataset.laid = "";
    if (token) table.querySelector(`[data-felt] [data-part="${token}"]`)?.append(copy);
  }
}

/**
 * Ask whether the hint is there, and show it then; what was picked of the list stays picked, and the focus where it is.
 *
 * @param {HTMLElement} table
 */
async function look(table) {
  if (document.visibilityState !== "visible") {
    document.addEventListener("visibilitychange", () => look(table), { once: true });
    return;
  }
  const mine = asked, query = new URLSearchParams(chosen(table).map((part) => ["part", part]));
  /** @type {Response | null} */
  const answer = await fetch(`${location.pathname}?${query}`).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  if (mine !== asked) return;
  const fresh = page?.querySelector("[data-play]");
  if (!fresh || fresh.querySelector("[data-hint-waits]")) {
    setTimeout(() => mine === asked && look(table), HINT_MS);
    return;
  }
  const picked = table.querySelector("[data-answer] input:checked"), held = document.activeElement;
  const [same, focused] = [picked, held && table.contains(held) ? held : null].map((each) => each && alike(each));
  table.replaceChildren(...fresh.childNodes);
  const again = same && table.querySelector(same);
  if (again instanceof HTMLInputElement) again.checked = true;
  if (focused) focus(table, focused);
  ready(table);
  hinted(table);
}

/**
 * A selector of what takes an element's place once the table is drawn anew.
 *
 * @param {Element} element
 */
function alike(element) {
  const { name, value } = /** @type {HTMLInputElement} */ (element);
  return element.id ? `#${element.id}` : name ? `[name="${name}"][value="${CSS.escape(value)}"]` : "[data-answer] button";
}

/**
 * Say what is shown of a hint.
 *
 * @param {HTMLElement} table
 */
function hinted(table) {
  const words = table.querySelector("[data-hint]")?.textContent?.replace(/\s+/g, " ").trim();
  if (said) said.textContent = words ?? "";
}

/**
 * Tell the server that the page is open; show that the table has ended, if it has.
 *
 * @param {HTMLElement} table
 */
async function seen(table) {
  if (!table.querySelector("[data-open]")) return;
  const mine = asked, answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 200 && mine === asked) await fetched(table, location.pathname, {});
}

/** @param {HTMLElement} table */
async function poll(table) {
  if (document.visibilityState !== "visible") {
    document.addEventListener("visibilitychange", () => poll(table), { once: true });
    return;
  }
  if (await fetched(table, location.pathname, {}) && !table.querySelector("[data-bots]")) focus(table, "#question");
}

/**
 * @param {Element} table
 * @param {string} selector
 */
function focus(table, selector) {
  const found = table.querySelector(selector) ?? table.querySelector("#question");
  if (found instanceof HTMLElement || found instanceof SVGElement) found.focus();
  const question = found?.id === "question" && found.closest("[data-question]")?.getBoundingClientRect();
  // what is to be chosen comes into sight with its question, and as much of the felt stays as there is room for
  if (question) scrollBy(0, Math.max(0, Math.min(question.bottom - innerHeight, question.top - innerHeight / 3)));
}
