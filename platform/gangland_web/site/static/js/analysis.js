// @ts-check
/** Asks for the analysis of a game while its page is visible, and shows what is known: a part first, then all of it. */

const EVERY_MS = 700;
const form = document.querySelector("form[data-analysis]");
if (form instanceof HTMLFormElement && !("own" in form.dataset && form.dataset.state === "unknown")) follow(form);

/** @param {HTMLFormElement} form */
async function follow(form) {
  const json = { headers: { Accept: "application/json" } };
  const url = form.dataset.analysis ?? "";
  const unknown = form.dataset.state === "unknown";
  let shown = Number(form.dataset.steps);
  let asks = !("own" in form.dataset); // also for a game that waits: one that is looked at goes first
  for (;;) {
    await visible();
    /** @type {Response | null} */
    const answer = await fetch(asks ? form.action : url, asks ? { ...json, method: "POST" } : json).catch(() => null);
    if (answer && !answer.ok && !(asks && !unknown)) return;
    asks &&= !answer;
    if (answer?.ok) {
      const now = await answer.json();
      const over = ["done", "failed", "unavailable"].includes(now.state);
      if (over || (now.steps > 0 && now.steps !== shown)) {
        if (await renewed()) {
          if (over) return;
          shown = now.steps;
        }
      } else say(now);
    }
    await new Promise((resolve) => { setTimeout(resolve, EVERY_MS); });
  }
}

/**
 * Say where the analysis stands.
 * @param {{ place: number | null, steps: number }} now
 */
function say({ place, steps }) {
  document.querySelector("form[data-analysis] button")?.remove();
  const status = document.querySelector("form[data-analysis] p");
  const more = place ? `; it is number ${place} in the queue` : steps ? "; what is known so far is shown" : "";
  const text = `The analysis is being worked out${more}.`;
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
