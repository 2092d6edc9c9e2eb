// @ts-check
/** Asks for the analysis of a game while its page is visible, and shows what is known: a part first, then all of it. */

const EVERY_MS = 700;
const form = document.querySelector("form[data-analysis]");
if (form instanceof HTMLFormElement) follow(form);

/** @param {HTMLFormElement} form */
async function follow(form) {
  const status = form.querySelector("[role=status]");
  const shown = Number(form.dataset.steps);
  const json = { headers: { Accept: "application/json" } };
  let url = form.dataset.analysis ?? "";
  let asks = form.dataset.state === "unknown";
  for (;;) {
    await visible();
    const answer = await fetch(asks ? form.action : url, asks ? { ...json, method: "POST" } : json).catch(() => null);
    if (answer && !answer.ok) return;
    if (answer) {
      asks = false;
      form.querySelector("button")?.remove();
      const now = await answer.json();
      if (["done", "failed", "unavailable"].includes(now.state) || (now.steps > 0 && shown === 0)) {
        location.reload();
        return;
      }
      const place = now.place ? `; it is number ${now.place} in the queue` : "";
      if (status) status.textContent = `The analysis is being worked out${place}.`;
    }
    await new Promise((resolve) => { setTimeout(resolve, EVERY_MS); });
  }
}

/** Wait until somebody looks at the page. */
function visible() {
  return new Promise((resolve) => {
    if (document.visibilityState === "visible") resolve(null);
    else document.addEventListener("visibilitychange", () => resolve(visible()), { once: true });
  });
}
