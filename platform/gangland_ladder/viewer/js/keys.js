// @ts-check
/** Keys: what each does says the timeline (`gangland_ladder.viewer.navigation`); whether they are on is remembered. */

const KEPT = "gangland.viewer.keys";

/** Return whether the keys are on, as it was left the last time. */
export function keysKept() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true; // a page without storage: a file, or a frame of another site
  }
}

/**
 * Remember whether the keys are on.
 * @param {boolean} on
 */
export function keepKeys(on) {
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // see above: it holds until the page is left
  }
}

/**
 * Return what a key press means, undefined for nothing.
 * @param {Record<string, string>} keys actions by the names of keys
 * @param {KeyboardEvent} event
 */
export function actionOf(keys, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const on = event.target instanceof Element ? event.target : null;
  if (on?.closest("button, a, summary, [type=checkbox]") && (event.key === " " || event.key === "Enter")) return undefined;
  return keys[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
}
