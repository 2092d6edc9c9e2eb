// @ts-check
/**
 * Polls the page's own URL until the result is ready.  The first poll is after `data-again` seconds; later intervals
 * are longer, and at least the Retry-After header of the answer.
 */

const MAX_INTERVAL_MS = 30_000;
const waiting = document.querySelector("[data-again]");
if (waiting instanceof HTMLElement) poll(1000 * Number(waiting.dataset.again));

/** @param {number} wait_ms */
async function poll(wait_ms) {
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, wait_ms); });
    const answer = await fetch(location.href).catch(() => null);
    if (answer && !answer.headers.has("Retry-After")) {
      location.reload();
      return;
    }
    const min_ms = 1000 * Number(answer?.headers.get("Retry-After")) || 0;
    wait_ms = Math.max(min_ms, Math.min(1.5 * wait_ms, MAX_INTERVAL_MS));
  }
}
