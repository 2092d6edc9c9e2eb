// @ts-check
/** Keys.  The timeline has the action of each key (`gangland_ladder.viewer.navigation`); the browser stores whether they are on. */

const KEYS_ITEM = "gangland.viewer.keys";

/** Return whether the keys are on. */
export function storedKeysOn() {
  try {
    return localStorage.getItem(KEYS_ITEM) !== "off";
  } catch {
    return true; // a page without storage, such as a local file or a frame on another site
  }
}

/**
 * Store whether the keys are on.
 * @param {boolean} on
 */
export function storeKeysOn(on) {
  try {
    localStorage.setItem(KEYS_ITEM, on ? "on" : "off");
  } catch {
    // without storage, the setting lasts as long as the page
  }
}

/**
 * Return the action of a key press, or undefined.
 * @param {Record<string, string>} keys actions by the names of keys
 * @param {KeyboardEvent} event
 */
export function actionOf(keys, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const on = event.target instanceof Element ? event.target : null;
  if (on?.closest("button, a, summary, [type=checkbox]") && (event.key === " " || event.key === "Enter")) return undefined;
  return keys[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
}
