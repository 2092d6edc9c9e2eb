// @ts-check
/**
 * Keeps unsaved text in the browser's storage, for visitors without an account and after a crash.  If another tab has
 * the same draft open, this tab uses a key of its own, so that neither overwrites the other's text.
 */

const PREFIX = "gangland-draft:";
const WRITE_DELAY_MS = 400;

/** @typedef {{text: string, name: string, at: number}} Kept */

/** @param {string} key @returns {Kept | null} */
function read(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "null");
    return typeof found?.text === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {number} at in milliseconds @returns {HTMLTimeElement} in the same format as from the server: 21 Nov 2026 18:45 UTC */
function timeElement(at) {
  const when = new Date(at), element = document.createElement("time");
  element.dateTime = when.toISOString();
  element.textContent = `${when.toUTCString().slice(5, 22)} UTC`;
  return element;
}

/** @param {HTMLFormElement} form */
function storageKey(form) {
  return `${PREFIX}${form.dataset.game}/${form.dataset.draft ?? ""}`;
}

/**
 * @param {HTMLFormElement} form
 * @param {() => string} current returns the text in the editor
 * @param {(text: string) => void} replace
 */
export function keptText(form, current, replace) {
  let place = storageKey(form);
  const status = /** @type {HTMLElement} */ (form.querySelector("[data-status]"));
  const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));
  const choices = /** @type {HTMLElement} */ (form.querySelector("[data-restore]"));
  let key = place;
  let isElsewhere = false; // the draft is also open in another tab
  let timer = 0;

  const keys = () => Object.keys(localStorage).filter((each) => each === place || each.startsWith(`${place}/copy-`));

  function write() {
    timer = 0;
    try {
      localStorage.setItem(key, JSON.stringify({ text: current(), name: name.value, at: Date.now() }));
      status.textContent = isElsewhere
        ? "Another tab has this draft open. What you type here is kept as a copy."
        : "Kept in this browser.";
    } catch {
      status.textContent = "This browser cannot keep your text. Copy it before you leave.";
    }
  }

  addEventListener("storage", (event) => {
    if (event.key !== place || event.newValue === null || isElsewhere) return;
    isElsewhere = true;
    if (key === place) key = `${place}/copy-${Date.now()}`;
    write();
  });
  addEventListener("pagehide", () => { if (timer) write(); });

  return {
    changed() {
      clearTimeout(timer);
      timer = setTimeout(write, WRITE_DELAY_MS);
    },
    /**
     * Record that a text was saved on the site: keep only text typed since.
     * @param {string} text
     */
    saved(text) {
      clearTimeout(timer);
      timer = 0;
      localStorage.removeItem(key);
      key = place = storageKey(form);
      isElsewhere = false;
      choices.hidden = true; // the kept text belongs to the page as it was opened, which offers it again
      if (current() !== text) write();
      else status.textContent = "The draft has been saved.";
    },
    /** Offer the newest kept text that differs from the one shown. */
    offer() {
      const found = keys().map((each) => ({ each, kept: read(each) })).filter(({ kept }) => kept?.text !== current());
      found.sort((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0));
      const newest = found[0];
      if (!newest?.kept) return;
      const { each, kept } = newest;
      if (each === place) key = `${place}/copy-${Date.now()}`; // so that nothing overwrites it until the user decides
      choices.hidden = false;
      const words = /** @type {HTMLElement} */ (choices.querySelector("[data-kept]"));
      words.replaceChildren("You have unsaved text from ", timeElement(kept.at), " in this browser.");
      words.dispatchEvent(new Event("live:placed", { bubbles: true })); // times.js shows it in the visitor's zone
      const answer = (/** @type {string} */ said) => {
        choices.hidden = true;
        key = place;
        status.textContent = said;
      };
      choices.querySelector("[data-restore-text]")?.addEventListener("click", () => {
        name.value = kept.name;
        replace(kept.text);
        answer("Your text has been restored. Undo brings the other one back.");
      });
      choices.querySelector("[data-forget-text]")?.addEventListener("click", () => {
        localStorage.removeItem(each);
        answer("The unsaved text has been deleted.");
      });
    },
  };
}
