// @ts-check
/** Links to pictures and clips of the current decision: in `data-picture`, AT is its address and ROUND its round. */

document.querySelector("[data-replay]")?.addEventListener("moved", (event) => {
  const at = /** @type {CustomEvent<string>} */ (event).detail;
  for (const link of document.querySelectorAll("a[data-picture]")) {
    if (!(link instanceof HTMLAnchorElement)) continue;
    const round = /^r\d+/.exec(at)?.[0] ?? link.dataset.last ?? "";
    link.href = (link.dataset.picture ?? "").replace("AT", at).replace("ROUND", round);
  }
});
