// @ts-check
/**
 * Polls the page's own URL until the result is ready.  The first poll is after `data-again` seconds; later intervals
 * are longer, and at least the Retry-After header of the answer.
 */

const SELDOM_MS = 30_000;
const waits = document.querySelector("[data-again]");
if (waits instanceof HTMLElement) look(1000 * Number(waits.dataset.again));

/** @param {number} wait_ms */
async function look(wait_ms) {
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, wait_ms); });
    const answer = await fetch(location.href).catch(() => null);
    if (answer && !answer.headers.has("Retry-After")) {
      location.reload();
      return;
    }
    const least_ms = 1000 * Number(answer?.headers.get("Retry-After")) || 0;
    wait_ms = Math.max(least_ms, Math.min(1.5 * wait_ms, SELDOM_MS));
  }
}
