// @ts-check
/**
 * Manners of the live parts, which htmx asks for every two seconds: nothing is asked while the page is hidden, what
 * has not changed is not put in again, one sentence is spoken when it changes, and a lost connection is told.
 */

/**
 * @typedef {{ xhr: XMLHttpRequest, target: HTMLElement, shouldSwap: boolean }} Answered
 */

/** @type {Map<string, string>} */
const last = new Map();

/** @param {boolean} lost */
function tell(lost) {
  for (const note of document.querySelectorAll("[data-lost]")) {
    if (note instanceof HTMLElement) note.hidden = !lost;
  }
}

/** The sentence of the first live part: what a person who does not see the page is told. */
function sentence() {
  return document.querySelector(".live [data-say]")?.textContent?.trim().replace(/\s+/g, " ") ?? "";
}

let spoken = sentence();

/** Speak the sentence, if it is another than before. */
function speak() {
  const said = sentence();
  if (said === "" || said === spoken) return;
  spoken = said;
  for (const voice of document.querySelectorAll("[data-spoken]")) voice.textContent = said;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden) event.preventDefault();
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const detail = /** @type {CustomEvent<Answered>} */ (event).detail;
  const { id } = detail.target;
  if (last.get(id) === detail.xhr.responseText) detail.shouldSwap = false;
  if (detail.shouldSwap) last.set(id, detail.xhr.responseText);
});
document.addEventListener("htmx:afterSettle", speak);
document.addEventListener("htmx:afterOnLoad", () => tell(false));
for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, () => tell(true));
}

export {};
