// @ts-check
/** Looks again at its own address, every so many seconds as `data-again` says, until there is something else. */

const waits = document.querySelector("[data-again]");
if (waits instanceof HTMLElement) look(1000 * Number(waits.dataset.again));

/** @param {number} every_ms */
async function look(every_ms) {
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, every_ms); });
    const answer = await fetch(location.href).catch(() => null);
    if (answer && answer.status !== 202) {
      location.reload();
      return;
    }
  }
}
