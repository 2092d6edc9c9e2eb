// @ts-check
/** Keys.  The data has their actions (`gangland_ladder.viewer.navigation`); the browser stores whether they are on. */

const KEPT = "gangland.viewer.keys";

/** Return whether the keys are on. */
export function keysKept() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true; // a page without storage: a file, or a frame of another site
  }
}

/**
 * Store whether the keys are on.
 * @param {boolean} on
 */
export function keepKeys(on) {
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // see above: it lasts as long as the page
  }
}

/**
 * Return the action of a key press, undefined for none.
 * @param {Record<string, string>} keys actions by the names of keys
 * @param {KeyboardEvent} event
 */
export function actionOf(keys, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const on = event.target instanceof Element ? event.target : null;
  if (on?.closest("button, a, summary, [type=checkbox]") && (event.key === " " || event.key === "Enter")) return undefined;
  return keys[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
}
