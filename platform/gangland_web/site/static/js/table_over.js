// @ts-check
/**
 * A person's game that has just ended: the viewer stands at the person's last decision and plays from there to the end,
 * once, unless the address names a decision, or motion is not wanted.
 */

const KEY = "gangland-ended";
const viewer = document.querySelector("[data-replay]");
const play = viewer?.querySelector('[data-do="play"]');

if (viewer && play instanceof HTMLElement && !location.hash && isFirst()) {
  play.click();
}

/** Whether motion is wanted and this game has not been played to its end here; it has from now on. */
function isFirst() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return false;
  try {
    if (localStorage.getItem("gangland-pace") === "0" || sessionStorage.getItem(KEY) === location.pathname) return false;
    sessionStorage.setItem(KEY, location.pathname);
  } catch {
    // where the browser keeps nothing, it plays again
  }
  return true;
}
