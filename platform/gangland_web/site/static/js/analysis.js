// @ts-check
/** Asks for the analysis of a game while its page is visible, and shows what is known: a part first, then all of it. */

const EVERY_MS = 700;
const BUSY_MS = 3000;
const OVER = ["done", "failed", "unavailable"];
/** Refusals that another try does not change; any other one (too many requests, a restart) is waited out. */
const FOR_GOOD = [403, 404, 410, 422];
const form = document.querySelector("form[data-analysis]");
if (form instanceof HTMLFormElement && !("own" in form.dataset && form.dataset.state === "unknown")) follow(form);

/** @param {HTMLFormElement} form */
async function follow(form) {
  const url = form.dataset.analysis ?? "";
  let shown = Number(form.dataset.steps);
  let asks = !("own" in form.dataset); // also for a game that waits: one that is looked at goes first
  for (;;) {
    await visible();
    const init = { method: asks ? "POST" : "GET", headers: { Accept: "application/json" } };
    /** @type {Response | null} */
    const answer = await fetch(asks ? form.action : url, init).catch(() => null);
    if (answer && FOR_GOOD.includes(answer.status)) return;
    if (answer?.ok) {
      asks = false;
      const now = await answer.json();
      const over = OVER.includes(now.state);
      if (!over && (now.steps === 0 || now.steps === shown)) say(now);
      else if (await renewed()) {
        shown = now.steps;
        if (!document.querySelector("form[data-analysis]")) return;
      }
    } else asks &&= form.dataset.state === "unknown"; // it waits already, only not in front
    await new Promise((resolve) => { setTimeout(resolve, answer?.ok ? EVERY_MS : BUSY_MS); });
  }
}

/**
 * Say where the analysis stands, in the words of replay.html.
 * @param {{ place: number | null, steps: number, message: string }} now
 */
function say({ place, steps, message }) {
  document.querySelector("form[data-analysis] button")?.remove();
  const status = document.querySelector("form[data-analysis] p");
  const more = place === 1 ? " you are next." : place ? ` number ${place} in the queue.` : steps ? " Partial results are shown." : "";
  const text = `${message ? `${message} ` : ""}Analyzing ...${more}`;
  if (status && status.textContent !== text) status.textContent = text;
}

/** Show what the page says now, and return whether it could be had. */
async function renewed() {
  const answer = await fetch(location.pathname + location.search).catch(() => null);
  if (!answer?.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const standing = page.querySelector("[data-standing]");
  if (standing) document.querySelector("[data-standing]")?.replaceChildren(...standing.childNodes);
  document.querySelector("[data-replay]")?.dispatchEvent(new CustomEvent("newer", { detail: page }));
  return true;
}

/** Wait until somebody looks at the page. */
function visible() {
  return new Promise((resolve) => {
    if (document.visibilityState === "visible") resolve(null);
    else document.addEventListener("visibilitychange", () => resolve(visible()), { once: true });
  });
}
