// @ts-check
/**
 * A table at which a person plays: available dice, cards and tokens are buttons, answers are sent without leaving the
 * page, the bots' steps are shown one by one, and events and questions are announced to screen readers.
 *
 * The server draws everything; the script fetches the page behind a form or link and replaces the table.
 */

const POLL_MS = 150;
const HINT_MS = 500;
/** After three minutes without a request, the server may end a table to make room for another. */
const PRESENCE_MS = 60_000;
const KEY = "gangland-pace";
/** Parts that are a number of dice, such as "number:3". */
const NUMBER = "number:";
const table = /** @type {HTMLElement} */ (document.querySelector("[data-play]"));
const spoken = document.querySelector("[data-said]");
const pace = document.querySelector("[data-pace]");
/** Counts requests, so that an older answer does not overwrite a newer one. */
let requestCount = 0;
/** @type {(() => void) | null} */
let skip = null;
/** By part: the indexes of the chosen ones among its elements on the table. */
const clickedAt = /** @type {Map<string, number[]>} */ (new Map());

if (pace instanceof HTMLSelectElement) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.querySelector("[data-scripted]")?.removeAttribute("hidden");
  const defaultPace = still ? "0" : pace.value;
  try {
    pace.value = localStorage.getItem(KEY) ?? defaultPace;
  } catch {
    pace.value = defaultPace; // the browser has no storage
  }
  if (pace.selectedIndex < 0) pace.value = defaultPace;
  pace.addEventListener("change", () => {
    if (pace.value === "0") skip?.();
    localStorage.setItem(KEY, pace.value);
  });
}

table.addEventListener("submit", onSubmit);
table.addEventListener("click", onClick);
table.addEventListener("input", showAmount);
document.addEventListener("keydown", onKeydown);
activate();
setInterval(reportPresence, PRESENCE_MS);

/** @param {SubmitEvent} event */
function onSubmit(event) {
  const form = event.target, by = event.submitter;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-answer][method=post], [data-more]")) return;
  event.preventDefault();
  const data = new FormData(form);
  if (by instanceof HTMLButtonElement && by.name) data.append(by.name, by.value);
  if (form.matches("[data-more]")) {
    narrow(data.getAll("part").map(String), "[data-more] button, [data-answer] button");
    return;
  }
  const body = new URLSearchParams();
  data.forEach((value, name) => body.append(name, String(value)));
  if (by instanceof HTMLButtonElement && by.matches("[data-ask-hint]")) {
    fetchTable(by.formAction, { method: "POST", body }, false).then((found) => found && announceHint());
    return;
  }
  const question = form.closest("[data-question]");
  question?.setAttribute("inert", ""); // one answer per question
  fetchTable(form.action, { method: "POST", body }).then((found) => {
    question?.removeAttribute("inert");
    if (found) focus("[data-felt] [data-part]");
    table.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  });
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = event.target instanceof Element ? event.target : null;
  const back = target?.closest("a[data-back]");
  if (target?.closest("[data-skip]")) skip?.();
  else if (back instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    undo();
  } else {
    const part = target?.closest("[data-part]");
    if (part && table.contains(part)) choose(part);
  }
}

/** @param {KeyboardEvent} event */
function onKeydown(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const part = event.target instanceof Element && event.target.matches("[data-felt] [data-part]") ? event.target : null;
  if (part && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(part);
  } else if (event.key === "Escape") {
    const amount = amountOf();
    if (skip) skip();
    else if (amount) {
      amount.value = "";
      showAmount();
    } else if (chosen().length) undo();
  }
}

function undo() {
  narrow(chosen().slice(0, -1), "[data-felt] [data-part]");
}

/**
 * Return the chosen parts of a decision.
 *
 * @returns {string[]}
 */
function chosen() {
  return valueOf("data-chosen") ?? [];
}

/**
 * Return a value from an attribute of the question, or null.
 *
 * @param {string} name
 */
function valueOf(name) {
  return JSON.parse(table.querySelector("[data-question]")?.getAttribute(name) ?? "null");
}

/**
 * Choose an element on the table, or undo the choice; an element for several dice can be chosen more than once.  If
 * nothing more can be chosen, it replaces the last choice of its kind, such as another token, or all choices.
 *
 * @param {Element} part
 */
function choose(part) {
  const id = part.getAttribute("data-part") ?? "", amount = amountOf();
  if (amount && id.startsWith(NUMBER)) {
    amount.value = id.slice(NUMBER.length);
    showAmount();
    return;
  }
  const now = chosen(), may = (valueOf("data-may") ?? []).includes(id), kind = id.replace(/:.*/, ":");
  const same = elementsOf(id), at = same.indexOf(part), before = clickedAt.get(id) ?? [];
  const back = part.hasAttribute("data-picked") && !(same.length === 1 && may);
  const gone = back ? now.lastIndexOf(id) : may ? -1 : now.map((each) => each.startsWith(kind)).lastIndexOf(true);
  clickedAt.set(id, back ? before.filter((each) => each !== at) : [...before, at]);
  const next = now.flatMap((each, index) => (index !== gone ? [each] : back ? [] : [id]));
  narrow(back || gone >= 0 ? next : may ? [...now, id] : [id]);
}

/** Return the field for a number, if the question has one. */
function amountOf() {
  const found = table.querySelector("#amount");
  return found instanceof HTMLInputElement ? found : null;
}

/** Mark this number of dice, and update the text of the button. */
function showAmount() {
  const amount = amountOf(), button = table.querySelector("[data-answer] button");
  if (!amount || !button) return;
  const number = amount.validity.valid ? Number(amount.value) : 0;
  for (const die of table.querySelectorAll(`[data-part^="${NUMBER}"]`)) {
    setPicked(die, Number(die.getAttribute("data-part")?.slice(NUMBER.length)) <= number);
  }
  if (button.textContent?.startsWith("Roll")) button.textContent = number ? `Roll ${number} ${number === 1 ? "die" : "dice"}` : "Roll dice";
}

/**
 * Return the elements of a part on the table: one, or several dice or cards.
 *
 * @param {string} id
 */
function elementsOf(id) {
  return [...table.querySelectorAll(`[data-felt] [data-part="${id}"]`)];
}

/**
 * Load the remaining decisions after these parts are chosen.
 *
 * @param {string[]} parts
 * @param {string} then the element to focus; "" for the current one
 */
function narrow(parts, then = "") {
  fetchTable(withParts(parts), {}, false).then((found) => {
    if (!found) return;
    if (then) focus(then);
    const ready = [...table.querySelectorAll("[data-answer] button")].map((button) => button.textContent?.trim());
    const picks = table.querySelector("[data-picks]")?.textContent;
    const now = [picks && `Chosen: ${picks}.`, ready.length && `Buttons: ${ready.join(", ")}.`].filter(Boolean).join(" ");
    say(table.querySelector("[role=alert]")?.textContent ?? now);
  });
}

/**
 * Return the URL of the page with these parts chosen.
 *
 * @param {string[]} parts
 */
function withParts(parts) {
  const url = new URL(table.querySelector("[data-here]")?.getAttribute("data-here") ?? "", location.href);
  for (const part of parts) url.searchParams.append("part", part);
  return url.href;
}

/**
 * Replace the table by that of a fetched page, without the lists for browsers without scripts.
 *
 * @param {Element} fresh
 * @returns {() => void} restores the focus and, for the same question, the typed text; call it after marking
 */
function replace(fresh) {
  const held = document.activeElement, locator = held && table.contains(held) ? locatorOf(held) : null;
  const number = numberOf(table), typed = amountOf()?.value;
  for (const each of fresh.querySelectorAll("noscript")) each.remove();
  fresh.querySelector("[data-log]")?.toggleAttribute("open", table.querySelector("[data-log]")?.hasAttribute("open"));
  table.replaceChildren(...fresh.childNodes);
  const amount = amountOf();
  if (amount && typed !== undefined && numberOf(table) === number) amount.value = typed;
  return () => locator && focus(...locator);
}

/** @param {Element} page */
function numberOf(page) {
  return page.querySelector("[name=number]")?.getAttribute("value");
}

/**
 * Fetch the table's page and show it; return whether that worked.
 *
 * @param {string} url
 * @param {RequestInit} init
 * @param {boolean} steps whether to show the events since then step by step
 */
async function fetchTable(url, init, steps = true) {
  const requestId = ++requestCount;
  skip?.();
  /** @type {Response | null} */
  const answer = await fetch(url, init).catch(() => null);
  if (requestId !== requestCount) return false;
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page?.querySelector("[data-play]");
  if (!answer || (!fresh && !answer.ok)) {
    say("The site did not answer. Try again.");
    setTimeout(activate, 10 * POLL_MS);
    return false;
  }
  if (!fresh) {
    table.setAttribute("inert", ""); // the game is over, and its page will be loaded
    location.assign(answer.url);
    return false;
  }
  document.title = page?.title || document.title;
  const back = replace(fresh);
  if (steps) await showSteps(requestId);
  if (requestId !== requestCount) return false;
  activate();
  back();
  return true;
}

/**
 * Show the events since the last decision step by step, then the current table.
 *
 * @param {number} requestId
 */
async function showSteps(requestId) {
  const felt = table.querySelector("[data-felt]"), bar = table.querySelector("[data-bar]");
  const question = bar?.querySelector("[data-question], [data-bots]"), status = bar?.querySelector("[data-now]");
  /** @type {NodeListOf<HTMLTemplateElement>} */
  const steps = table.querySelectorAll("template[data-step]");
  const now = felt ? [...felt.childNodes] : [];
  if (felt && status && steps.length && stepDelay() > 0) {
    let skipped = false;
    question?.setAttribute("hidden", "");
    status.removeAttribute("hidden");
    for (const step of steps) {
      felt.replaceChildren(step.content.cloneNode(true));
      const line = status.querySelector("[data-line]");
      if (line) line.textContent = step.dataset.step ?? "";
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, stepDelay());
        skip = () => {
          skipped = true;
          clearTimeout(timer);
          resolve(null);
        };
      });
      if (skipped || requestId !== requestCount) break;
    }
    skip = null;
    felt.replaceChildren(...now);
    status.setAttribute("hidden", "");
    question?.removeAttribute("hidden");
  }
  const story = [...steps].map((step) => step.dataset.step);
  say([...story, table.querySelector("#question")?.textContent].filter(Boolean).join(" "));
}

function stepDelay() {
  return pace instanceof HTMLSelectElement ? Number(pace.value) : 0;
}

/** Turn available elements into buttons, mark the chosen ones, and poll while the bots decide. */
function activate() {
  const now = chosen(), words = valueOf("data-words") ?? {};
  for (const part of table.querySelectorAll("[data-felt] [data-part]")) {
    part.setAttribute("role", "button");
    part.setAttribute("tabindex", "0");
    part.setAttribute("aria-label", words[part.getAttribute("data-part") ?? ""] ?? "");
    part.closest("[role=img]")?.setAttribute("role", "group");
  }
  mark(setPicked, now, clickedAt);
  showAmount();
  placeFavors(now);
  mark((part, isBest) => part.toggleAttribute("data-best", isBest), valueOf("data-hinted") ?? [], new Map());
  if (table.querySelector("[data-bots]")) setTimeout(poll, POLL_MS);
  const requestId = requestCount;
  if (table.querySelector("[data-hint-waits]")) setTimeout(() => requestId === requestCount && pollHint(), HINT_MS);
}

/**
 * @param {Element} part
 * @param {boolean} isPicked
 */
function setPicked(part, isPicked) {
  part.toggleAttribute("data-picked", isPicked);
  part.setAttribute("aria-pressed", String(isPicked));
}

/**
 * Mark elements on the table, one for each time that a part is named: the wanted ones first, or all of them if the part
 * is all dice of a color.
 *
 * @param {(part: Element, isMarked: boolean) => void} set
 * @param {string[]} named
 * @param {Map<string, number[]>} wanted by part, indexes among its elements; updated to the marked ones
 */
function mark(set, named, wanted) {
  for (const id of new Set([...table.querySelectorAll("[data-felt] [data-part]")].map((part) => part.getAttribute("data-part") ?? ""))) {
    const same = elementsOf(id), times = named.filter((each) => each === id).length;
    const count = id.startsWith("all:") ? times * same.length : times;
    const marked = [...new Set([...(wanted.get(id) ?? []).filter((at) => at < same.length), ...same.keys()])].slice(0, count);
    same.forEach((part, at) => set(part, marked.includes(at)));
    wanted.set(id, marked);
  }
}

/**
 * Show each chosen favor on its token.
 *
 * @param {string[]} now the chosen parts: pairs of a favor and a token, in either order
 */
function placeFavors(now) {
  for (let at = 0; at + 1 < now.length; at += 2) {
    const [favor, token] = ["favor:", "token:"].map((kind) => now.slice(at, at + 2).find((part) => part.startsWith(kind)));
    const card = favor && table.querySelector(`[data-felt] [data-part="${favor}"]`);
    if (!card || !token) continue;
    const copy = document.createElement("span");
    copy.className = card.className.toString();
    copy.textContent = card.textContent;
    copy.dataset.laid = "";
    table.querySelector(`[data-felt] [data-part="${token}"]`)?.append(copy);
  }
}

/** Poll for the hint, and show it once it is ready. */
async function pollHint() {
  await visible();
  const requestId = requestCount;
  /** @type {Response | null} */
  const answer = await fetch(withParts(chosen())).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  if (requestId !== requestCount) return;
  const fresh = page?.querySelector("[data-play]");
  if (!fresh || fresh.querySelector("[data-hint-waits]")) {
    setTimeout(() => requestId === requestCount && pollHint(), HINT_MS);
    return;
  }
  const back = replace(fresh);
  activate();
  back();
  announceHint();
}

/** Wait until the page is visible. */
async function visible() {
  while (document.visibilityState !== "visible") {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
}

/**
 * Return how to find an element after the table is redrawn: a selector, and its index among the matches.
 *
 * @param {Element} element
 * @returns {[string, number]}
 */
function locatorOf(element) {
  const part = element.getAttribute("data-part");
  const selector = element.id ? `#${element.id}` : part ? `[data-felt] [data-part="${part}"]` : "[data-answer] button";
  return [selector, Math.max(0, [...table.querySelectorAll(selector)].indexOf(element))];
}

/** Announce the shown hint. */
function announceHint() {
  say(table.querySelector("[data-hint]")?.textContent?.replace(/\s+/g, " ").trim() ?? "");
}

/** @param {string} words */
function say(words) {
  if (spoken) spoken.textContent = words;
}

/** Tell the server that the page is open, and show if the table has ended. */
async function reportPresence() {
  if (!table.querySelector("[data-open]")) return;
  const requestId = requestCount, answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 200 && requestId === requestCount) await fetchTable(location.pathname, {});
}

async function poll() {
  await visible();
  if (await fetchTable(location.pathname, {}) && !table.querySelector("[data-bots]")) focus("[data-felt] [data-part]");
}

/**
 * @param {string} selector
 * @param {number} at the index among the matches
 */
function focus(selector, at = 0) {
  const found = table.querySelectorAll(selector)[at] ?? table.querySelector("#question");
  if (!(found instanceof HTMLElement || found instanceof SVGElement)) return;
  const box = found.getBoundingClientRect(), bar = found.closest("[data-bar]") ? null : table.querySelector("[data-bar]");
  // the content above the bar keeps its position, and so does the bar, which is always visible
  found.focus({ preventScroll: !bar || (box.top >= 0 && box.bottom <= bar.getBoundingClientRect().top) });
}
