// @ts-check
/** Requests the analysis of a game while its page is visible, and shows partial and then complete results. */

const POLL_MS = 700;
const BUSY_MS = 3000;
const OVER = ["done", "failed", "unavailable"];
/** Statuses after which a retry is useless; after others (too many requests, a restart) the script tries again. */
const FINAL_STATUSES = [403, 404, 410, 422];
const form = document.querySelector("form[data-analysis]");
if (form instanceof HTMLFormElement && !("own" in form.dataset && form.dataset.state === "unknown")) follow(form);

/** @param {HTMLFormElement} form */
async function follow(form) {
  const url = form.dataset.analysis ?? "";
  let shown = Number(form.dataset.steps);
  let mustRequest = !("own" in form.dataset); // also if the game is already queued, because a visible page moves it up
  for (;;) {
    await visible();
    const init = { method: mustRequest ? "POST" : "GET", headers: { Accept: "application/json" } };
    /** @type {Response | null} */
    const answer = await fetch(mustRequest ? form.action : url, init).catch(() => null);
    if (answer && FINAL_STATUSES.includes(answer.status)) return;
    if (answer?.ok) {
      mustRequest = false;
      const now = await answer.json();
      const over = OVER.includes(now.state);
      if (!over && (now.steps === 0 || now.steps === shown)) showProgress(now);
      else if (await reloadContent()) {
        shown = now.steps;
        if (!document.querySelector("form[data-analysis]")) return;
      }
    } else mustRequest &&= form.dataset.state === "unknown"; // it is already queued, but was not moved up
    await new Promise((resolve) => { setTimeout(resolve, answer?.ok ? POLL_MS : BUSY_MS); });
  }
}

/**
 * Show the progress of the analysis, with the same text as replay.html.
 * @param {{ place: number | null, steps: number, message: string }} now
 */
function showProgress({ place, steps, message }) {
  document.querySelector("form[data-analysis] button")?.remove();
  const status = document.querySelector("form[data-analysis] p");
  const suffix = place === 1 ? " you are next." : place ? ` number ${place} in the queue.` : steps ? " Partial results are shown." : "";
  const text = `${message ? `${message} ` : ""}Analyzing ...${suffix}`;
  if (status && status.textContent !== text) status.textContent = text;
}

/** Show the current content of the page, and return whether it could be loaded. */
async function reloadContent() {
  const answer = await fetch(location.pathname + location.search).catch(() => null);
  if (!answer?.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const standing = page.querySelector("[data-standing]");
  if (standing) document.querySelector("[data-standing]")?.replaceChildren(...standing.childNodes);
  document.querySelector("[data-replay]")?.dispatchEvent(new CustomEvent("newer", { detail: page }));
  return true;
}

/** Wait until the page is visible. */
function visible() {
  return new Promise((resolve) => {
    if (document.visibilityState === "visible") resolve(null);
    else document.addEventListener("visibilitychange", () => resolve(visible()), { once: true });
  });
}
