// @ts-check
/**
 * Live parts: an element with a URL in `data-live` is updated every `data-every` seconds while the page is visible.
 * Only the server's changes since its last answer are applied, so focus, open details, typed text, the scroll position
 * and changes by other scripts are preserved.
 *
 * data-own: an element with content for this visitor only; it is not changed as long as the answer contains it.
 * data-mine: the numbers of the visitor's bots; rows with one of them as `data-bot` are marked.
 * data-say: a sentence that is announced to screen readers when it changes, at most every `SPEAK_MS`.
 */

const TIMEOUT_MS = 10_000;
const SPEAK_MS = 20_000;
const READING_LINE_PX = 120;
/** Elements that are replaced as a whole if anything in them changes, unless the visitor is using them. */
const WHOLE = new Set(["table", "svg", "time"]);

/** @typedef {{ here: ChildNode, was: ChildNode }} Pair */

/**
 * Return the key that identifies an element among its siblings, if it has one.
 *
 * @param {Node} node
 */
function key(node) {
  if (!(node instanceof Element)) return node.nodeName;
  const names = ["id", "data-key", "data-bot", "aria-labelledby", "action", "href"];
  const name = names.find((attribute) => node.hasAttribute(attribute));
  return `${node.localName} ${name ? node.getAttribute(name) : ""}`;
}

/** @param {Element} element */
function inUse(element) {
  const selection = document.getSelection();
  const selected = selection && !selection.isCollapsed && selection.containsNode(element, true);
  return element.contains(document.activeElement) || selected || element.querySelector("details[open]") !== null;
}

/** @param {Node} fresh */
function announcePlaced(fresh) {
  if (fresh instanceof Element) fresh.dispatchEvent(new CustomEvent("live:placed", { bubbles: true }));
}

/**
 * @param {ChildNode} here
 * @param {Node} now
 */
function replace(here, now) {
  const fresh = document.importNode(now, true);
  here.replaceWith(fresh);
  announcePlaced(fresh);
}

/**
 * Update `here`, which the server sent as `was`, to `now`.
 *
 * @param {ChildNode} here
 * @param {Node} was
 * @param {Node} now
 */
function update(here, was, now) {
  if (was.isEqualNode(now)) return;
  if (!(here instanceof Element && was instanceof Element && now instanceof Element)) {
    here.nodeValue = now.nodeValue;
    return;
  }
  if (here.hasAttribute("data-own") && now.hasAttribute("data-own")) return;
  const touched = here.childNodes.length !== was.childNodes.length;
  if (touched || (WHOLE.has(here.localName) && (here.localName === "time" || !inUse(here)))) {
    replace(here, now);
    return;
  }
  updateAttributes(here, was, now);
  updateChildren(here, was, now);
}

/**
 * @param {Element} here
 * @param {Element} was
 * @param {Element} now
 */
function updateAttributes(here, was, now) {
  for (const { name } of was.attributes) if (!now.hasAttribute(name)) here.removeAttribute(name);
  for (const { name, value } of now.attributes) if (was.getAttribute(name) !== value) here.setAttribute(name, value);
}

/**
 * @param {Element} here
 * @param {Element} was
 * @param {Element} now
 */
function updateChildren(here, was, now) {
  /** @type {Map<string, Pair[]>} */
  const known = new Map();
  was.childNodes.forEach((child, index) => {
    const name = key(child);
    known.set(name, [...(known.get(name) ?? []), { here: here.childNodes[index], was: child }]);
  });
  let at = here.firstChild;
  for (const child of now.childNodes) {
    const pair = known.get(key(child))?.shift();
    if (!pair) {
      const fresh = document.importNode(child, true);
      here.insertBefore(fresh, at);
      announcePlaced(fresh);
      continue;
    }
    if (pair.here !== at && pair.here.contains(document.activeElement)) at = clear(at, pair.here);
    if (pair.here === at) at = at.nextSibling;
    else here.insertBefore(pair.here, at);
    update(pair.here, pair.was, child);
  }
  clear(at, null);
}

/**
 * Remove the siblings from one up to another; moving an element would lose the focus.
 *
 * @param {ChildNode | null} from
 * @param {ChildNode | null} to
 */
function clear(from, to) {
  while (from && from !== to) {
    const next = from.nextSibling;
    from.remove();
    from = next;
  }
  return to;
}

/**
 * Return the positions of the element being read and its ancestors, the deepest first.
 *
 * @param {Element} part
 * @returns {[Element, number][]}
 */
function landmarks(part) {
  const focused = document.activeElement;
  const top = focused && part.contains(focused) ? focused.getBoundingClientRect().top : -1;
  const seen = top >= 0 && top < innerHeight ? focused : document.elementFromPoint(innerWidth / 2, READING_LINE_PX);
  /** @type {[Element, number][]} */
  const positions = [];
  for (let element = seen; element && part.contains(element); element = element.parentElement) {
    positions.push([element, element.getBoundingClientRect().top]);
  }
  return positions;
}

/**
 * Update a part from the last answer to a new one.
 *
 * @param {HTMLElement} part
 * @param {Element} was
 * @param {Element} now
 */
function applyUpdate(part, was, now) {
  const focused = part.contains(document.activeElement);
  const marks = scrollY > 0 ? landmarks(part) : [];
  for (const name of ["data-live", "data-every"]) {
    const value = now.getAttribute(name);
    if (value === null) part.removeAttribute(name);
    else part.setAttribute(name, value);
  }
  updateChildren(part, was, now);
  if (part.dataset.mine !== undefined) {
    const mine = new Set(part.dataset.mine.split(" "));
    for (const row of part.querySelectorAll("[data-bot]")) {
      row.classList.toggle("mine", mine.has(row.getAttribute("data-bot") ?? ""));
    }
  }
  const mark = marks.find(([element]) => element.isConnected);
  if (mark) scrollBy(0, mark[0].getBoundingClientRect().top - mark[1]);
  if (focused && document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
}

/** @param {boolean} lost */
function showLost(lost) {
  for (const note of document.querySelectorAll("[data-lost]")) {
    if (note instanceof HTMLElement) note.hidden = !lost;
  }
}

/** Return the sentence of the first live part, for screen readers. */
function sentence() {
  return document.querySelector(".live [data-say]")?.textContent?.trim().replace(/\s+/g, " ") ?? "";
}

let spoken = sentence();
let silentUntil = 0;
let speakTimer = 0;

/** Announce the sentence if it has changed, now or after a pause since the last announcement. */
function speak() {
  const said = sentence();
  clearTimeout(speakTimer);
  if (said === "" || said === spoken) return;
  if (performance.now() < silentUntil) {
    speakTimer = window.setTimeout(speak, silentUntil - performance.now() + 1);
    return;
  }
  spoken = said;
  silentUntil = performance.now() + SPEAK_MS;
  for (const voice of document.querySelectorAll("[data-spoken]")) voice.textContent = said;
}

/**
 * Update a part repeatedly, as long as it is in the page and has a URL.
 *
 * @param {HTMLElement} part
 */
function follow(part) {
  let was = /** @type {Element} */ (part.cloneNode(true));
  let etag = "";
  let timer = 0;
  let isRequesting = false;

  async function request() {
    /** @type {Record<string, string>} */
    const headers = etag ? { "If-None-Match": etag } : {};
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), TIMEOUT_MS);
    const options = { headers, signal: stop.signal, redirect: /** @type {const} */ ("error"), cache: /** @type {const} */ ("no-store") };
    const answer = await fetch(part.dataset.live ?? "", options).finally(() => clearTimeout(late));
    if (answer.status === 304) return;
    if (!answer.ok) throw new Error(`${answer.status}`);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(part.id);
    if (!fresh) throw new Error("no such part");
    etag = answer.headers.get("ETag") ?? "";
    applyUpdate(part, was, fresh);
    was = fresh;
    speak();
  }

  async function poll() {
    clearTimeout(timer);
    if (isRequesting || !part.isConnected || !part.dataset.live) return;
    isRequesting = true;
    try {
      if (!document.hidden) await request().then(() => showLost(false));
    } catch {
      showLost(true);
    }
    isRequesting = false;
    schedule();
  }

  function schedule() {
    timer = window.setTimeout(poll, 1000 * Number(part.dataset.every));
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void poll();
  });
  schedule();
}

for (const part of document.querySelectorAll("[data-live]")) if (part instanceof HTMLElement) follow(part);

export {};
