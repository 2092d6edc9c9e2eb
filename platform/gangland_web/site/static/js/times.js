// @ts-check
/** Shows times in the visitor's time zone; UTC is in each time's title, and the footer has a button to switch. */

const KEY = "gangland-utc";
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const isUtc = ["UTC", "Etc/UTC", "GMT", "Etc/GMT"].includes(zone);

/**
 * Return a time in the server's format, `21 Nov 2026 18:45 UTC`, in the visitor's zone, with its name if that is short.
 * @param {Date} when
 * @param {boolean} exact whether to include seconds
 */
export function local(when, exact) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    day: "2-digit", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
    hourCycle: "h23", timeZoneName: "short",
  }).formatToParts(when);
  /** @param {string} type */
  const part = (type) => parts.find((each) => each.type === type)?.value ?? "";
  const seconds = exact ? `:${part("second")}` : "";
  const name = part("timeZoneName");
  const zoneSuffix = /^[A-Z]{2,4}$/.test(name) ? ` ${name}` : ""; // an offset would be wider than the original text
  const month = part("month").slice(0, 3);
  return `${part("day")} ${month} ${part("year")} ${part("hour")}:${part("minute")}${seconds}${zoneSuffix}`;
}

/** Return whether the visitor chose UTC. */
function wantsUtc() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false; // a browser without storage
  }
}

/**
 * Show every time below `root`.
 * @param {ParentNode} root
 */
export function showTimes(root) {
  if (isUtc) return;
  const utc = wantsUtc();
  for (const element of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[datetime]"))) {
    const when = new Date(element.dateTime);
    if (Number.isNaN(when.getTime()) || !element.dateTime.includes("T")) continue;
    const original = element.dataset.utc ?? element.textContent ?? "";
    element.dataset.utc = original;
    element.title = original;
    const width = element.getBoundingClientRect().width; // preserved, so that nothing around it moves
    const isCell = element.closest("td") !== null;
    element.style.minWidth ||= isCell ? `${width}px` : `min(100%, ${width}px)`;
    element.style.letterSpacing = element.style.whiteSpace = "";
    const text = utc ? original : local(when, /:\d\d:\d\d/.test(original));
    element.textContent = isCell || /[A-Z]$/.test(text) ? text : `${text} local`;
    if (!isCell) fit(element, width);
  }
}

/**
 * Space the letters so that the text fills the width; a gap in front of a period would look like a missing word.
 * @param {HTMLElement} element
 * @param {number} width
 */
function fit(element, width) {
  const range = document.createRange();
  range.selectNodeContents(element);
  element.style.whiteSpace = "nowrap"; // it may be slightly too wide before it is spaced
  const spacing = (width - range.getBoundingClientRect().width) / (element.textContent ?? "").length;
  if (Math.abs(spacing) < 1) element.style.letterSpacing = `${spacing}px`;
  else element.style.whiteSpace = "";
}

/** @param {HTMLElement} button */
function initializeButton(button) {
  const showLabel = () => {
    button.textContent = wantsUtc() ? `Times are UTC. Show ${zone.replaceAll("_", " ")}` : "Times are in your time zone. Show UTC";
  };
  button.addEventListener("click", () => {
    try {
      localStorage.setItem(KEY, wantsUtc() ? "0" : "1");
    } catch {
      return; // the choice cannot be stored, so nothing changes
    }
    showLabel();
    showTimes(document);
  });
  showLabel();
  button.hidden = false;
}

const button = document.querySelector("[data-zone]");
if (button instanceof HTMLElement && !isUtc) initializeButton(button);
showTimes(document);
document.addEventListener("live:placed", (event) => {
  if (event.target instanceof Element) showTimes(event.target);
});
