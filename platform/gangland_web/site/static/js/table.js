// @ts-check
/**
 * A person's table: what may be chosen on the felt is a button, answers go without leaving the page, the bots' steps are
 * shown one after the other, and a screen reader is told what happens and what is asked.
 *
 * The server draws everything: whatever a form or a link of the table leads to is fetched and put in its place.
 */

const POLL_MS = 150;
const HINT_MS = 500;
/** The server ends a table that was left for three minutes, once somebody needs its place. */
const SEEN_MS = 60_000;
const KEY = "gangland-pace";
/** Parts that are whole numbers, each as many dice: "number:3". */
const NUMBER = "number:";
const place = document.querySelector("[data-play]");
const said = document.querySelector("[data-said]");
const pace = document.querySelector("[data-pace]");
/** Counts what was asked for, so that an older answer does not overwrite a newer one. */
let asked = 0;
/** @type {(() => void) | null} */
let skip = null;
/** By part: which of the things on the felt that stand for it are chosen, by their places among them. */
const clickedAt = /** @type {Map<string, number[]>} */ (new Map());

if (pace instanceof HTMLSelectElement) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.querySelector("[data-scripted]")?.removeAttribute("hidden");
  pace.value = stored() ?? (still ? "0" : pace.value);
  if (pace.selectedIndex < 0) pace.selectedIndex = 1;
  pace.addEventListener("change", () => {
    keep(pace.value);
    if (pace.value === "0") skip?.();
  });
}

if (place instanceof HTMLElement) {
  place.addEventListener("submit", (event) => submitted(place, event));
  place.addEventListener("click", (event) => clicked(place, event));
  place.addEventListener("input", () => counted(place));
  document.addEventListener("keydown", (event) => pressed(place, event));
  ready(place);
  setInterval(() => seen(place), SEEN_MS);
}

/** The pace that was chosen before; null where the browser keeps nothing. */
function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} value */
function keep(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // it holds until the page is left
  }
}

/**
 * @param {HTMLElement} table
 * @param {SubmitEvent} event
 */
function submitted(table, event) {
  const form = event.target, by = event.submitter;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-answer][method=post], [data-more]")) return;
  event.preventDefault();
  const data = new FormData(form);
  if (by instanceof HTMLButtonElement && by.name) data.append(by.name, by.value);
  if (form.matches("[data-more]")) {
    narrow(table, data.getAll("part").map(String), "[data-more] button, [data-answer] button");
    return;
  }
  const body = new URLSearchParams();
  data.forEach((value, name) => body.append(name, String(value)));
  if (by instanceof HTMLButtonElement && by.matches("[data-ask-hint]")) {
    fetched(table, by.formAction, { method: "POST", body }, false).then((found) => {
      if (!found) return;
      focus(table, "#question");
      hinted(table);
    });
    return;
  }
  const question = form.closest("[data-question]");
  question?.setAttribute("inert", ""); // one answer a question
  fetched(table, form.action, { method: "POST", body }).then((found) => {
    question?.removeAttribute("inert");
    if (found) focus(table, "[data-felt] [data-part]");
    table.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  });
}

/**
 * @param {HTMLElement} table
 * @param {MouseEvent} event
 */
function clicked(table, event) {
  const target = event.target instanceof Element ? event.target : null;
  const back = target?.closest("a[data-back]");
  if (target?.closest("[data-skip]")) skip?.();
  else if (back instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    undo(table);
  } else {
    const part = target?.closest("[data-part]");
    if (part && table.contains(part)) choose(table, part);
  }
}

/**
 * @param {HTMLElement} table
 * @param {KeyboardEvent} event
 */
function pressed(table, event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const part = event.target instanceof Element && event.target.matches("[data-felt] [data-part]") ? event.target : null;
  if (part && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(table, part);
  } else if (event.key === "Escape") {
    const amount = amountOf(table);
    if (skip) skip();
    else if (amount) {
      amount.value = "";
      counted(table);
    } else if (chosen(table).length) undo(table);
  }
}

/** @param {HTMLElement} table */
function undo(table) {
  narrow(table, chosen(table).slice(0, -1), "[data-felt] [data-part]");
}

/**
 * The parts of a decision that are chosen.
 *
 * @param {Element} table
 * @returns {string[]}
 */
function chosen(table) {
  return valueOf(table, "data-chosen") ?? [];
}

/**
 * A value that the question has in an attribute, null for none.
 *
 * @param {Element} table
 * @param {string} name
 */
function valueOf(table, name) {
  return JSON.parse(table.querySelector("[data-question]")?.getAttribute(name) ?? "null");
}

/**
 * Choose what lies on the felt, or take it back if it is chosen; what stands for several dice can be chosen once more.
 * Where no more of its kind can be chosen it takes the place of the last one, such as another token.
 *
 * @param {HTMLElement} table
 * @param {Element} part
 */
function choose(table, part) {
  const id = part.getAttribute("data-part") ?? "", amount = amountOf(table);
  if (amount && id.startsWith(NUMBER)) {
    amount.value = id.slice(NUMBER.length);
    counted(table);
    return;
  }
  const now = chosen(table), may = (valueOf(table, "data-may") ?? []).includes(id), kind = id.replace(/:.*/, ":");
  const same = alikeOnFelt(table, id), at = same.indexOf(part), before = clickedAt.get(id) ?? [];
  const back = part.hasAttribute("data-picked") && !(same.length === 1 && may);
  const gone = back ? now.lastIndexOf(id) : may ? -1 : now.map((each) => each.startsWith(kind)).lastIndexOf(true);
  clickedAt.set(id, back ? before.filter((each) => each !== at) : [...before, at]);
  const next = now.flatMap((each, index) => (index !== gone ? [each] : back ? [] : [id]));
  narrow(table, back || gone >= 0 ? next : [...now, id], "", () => alikeOnFelt(table, id)[at]);
}

/**
 * The field for a number, where a number is asked for.
 *
 * @param {Element} table
 */
function amountOf(table) {
  const found = table.querySelector("#amount");
  return found instanceof HTMLInputElement ? found : null;
}

/**
 * Mark as many dice as the number says, and have the button say it.
 *
 * @param {Element} table
 */
function counted(table) {
  const amount = amountOf(table), button = table.querySelector("[data-answer] button");
  if (!amount || !button) return;
  const number = amount.validity.valid ? Number(amount.value) : 0;
  for (const die of table.querySelectorAll(`[data-part^="${NUMBER}"]`)) {
    picked(die, Number(die.getAttribute("data-part")?.slice(NUMBER.length)) <= number);
  }
  if (button.textContent?.startsWith("Roll")) button.textContent = number ? `Roll ${number} ${number === 1 ? "die" : "dice"}` : "Roll dice";
}

/**
 * What stands for a part on the felt: one thing, or each of several dice or cards.
 *
 * @param {Element} table
 * @param {string} id
 */
function alikeOnFelt(table, id) {
  return [...table.querySelectorAll(`[data-felt] [data-part="${id}"]`)];
}

/**
 * Ask what is left of the decisions once these parts are chosen.
 *
 * @param {HTMLElement} table
 * @param {string[]} parts
 * @param {string} then what gets the focus
 * @param {(() => Element | undefined) | null} held what has the focus instead, if it is there
 */
function narrow(table, parts, then, held = null) {
  fetched(table, withParts(table, parts), {}, false).then((found) => {
    if (!found) return;
    const again = held?.();
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
    else focus(table, then || "#question");
    const ready = [...table.querySelectorAll("[data-answer] button")].map((button) => button.textContent?.trim());
    const picks = table.querySelector("[data-picks]")?.textContent;
    const now = [picks && `Chosen: ${picks}.`, ready.length && `You can: ${ready.join(", ")}.`].filter(Boolean).join(" ");
    if (said) said.textContent = table.querySelector("[role=alert]")?.textContent ?? now;
  });
}

/**
 * The address of the page that shows the question with these parts chosen.
 *
 * @param {Element} table
 * @param {string[]} parts
 */
function withParts(table, parts) {
  const url = new URL(table.querySelector("[data-here]")?.getAttribute("data-here") ?? "", location.href);
  for (const part of parts) url.searchParams.append("part", part);
  return url.href;
}

/**
 * Put the table of a fetched page in its place; lists for browsers without script are left out.
 *
 * @param {HTMLElement} table
 * @param {Element} fresh
 */
function replace(table, fresh) {
  const log = table.querySelector("[data-log]");
  for (const each of fresh.querySelectorAll("noscript")) each.remove();
  if (log?.hasAttribute("open")) fresh.querySelector("[data-log]")?.setAttribute("open", "");
  table.replaceChildren(...fresh.childNodes);
}

/**
 * Fetch the table's page and put it in its place; whether that was done.
 *
 * @param {HTMLElement} table
 * @param {string} url
 * @param {RequestInit} init
 * @param {boolean} steps whether what happened since is shown step by step
 */
async function fetched(table, url, init, steps = true) {
  const mine = ++asked;
  skip?.();
  /** @type {Response | null} */
  const answer = await fetch(url, init).catch(() => null);
  if (mine !== asked) return false;
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page?.querySelector("[data-play]");
  if (!answer || (!fresh && !answer.ok)) {
    if (said) said.textContent = "The site did not answer. Try again.";
    setTimeout(() => ready(table), 10 * POLL_MS);
    return false;
  }
  if (!fresh) {
    table.setAttribute("inert", ""); // the game is over, and its page comes
    location.assign(answer.url);
    return false;
  }
  replace(table, fresh);
  if (steps) await shown(table, mine);
  if (mine !== asked) return false;
  ready(table);
  return true;
}

/**
 * Show what happened since the last decision, step by step, then the table as it is now.
 *
 * @param {HTMLElement} table
 * @param {number} mine
 */
async function shown(table, mine) {
  const felt = table.querySelector("[data-felt]"), bar = table.querySelector("[data-bar]");
  const question = bar?.querySelector("[data-question], [data-bots]"), status = bar?.querySelector("[data-now]");
  /** @type {NodeListOf<HTMLTemplateElement>} */
  const steps = table.querySelectorAll("template[data-step]");
  const now = felt ? [...felt.childNodes] : [];
  if (felt && status && steps.length && waits() > 0) {
    let skipped = false;
    question?.setAttribute("hidden", "");
    status.removeAttribute("hidden");
    for (const step of steps) {
      felt.replaceChildren(step.content.cloneNode(true));
      const line = status.querySelector("[data-line]");
      if (line) line.textContent = step.dataset.step ?? "";
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, waits());
        skip = () => {
          skipped = true;
          clearTimeout(timer);
          resolve(null);
        };
      });
      if (skipped || mine !== asked) break;
    }
    skip = null;
    felt.replaceChildren(...now);
    status.setAttribute("hidden", "");
    question?.removeAttribute("hidden");
  }
  const story = [...steps].map((step) => step.dataset.step);
  if (said) said.textContent = [...story, table.querySelector("#question")?.textContent].filter(Boolean).join(" ");
}

function waits() {
  return pace instanceof HTMLSelectElement ? Number(pace.value) : 0;
}

/**
 * Make buttons of what may be chosen on the felt, mark what is chosen, and ask again while the bots decide.
 *
 * @param {HTMLElement} table
 */
function ready(table) {
  const now = chosen(table), words = valueOf(table, "data-words") ?? {};
  for (const part of table.querySelectorAll("[data-felt] [data-part]")) {
    part.setAttribute("role", "button");
    part.setAttribute("tabindex", "0");
    part.setAttribute("aria-label", words[part.getAttribute("data-part") ?? ""] ?? "");
    part.closest("[role=img]")?.setAttribute("role", "group");
  }
  mark(table, picked, now, clickedAt);
  counted(table);
  lay(table, now);
  mark(table, (part, isBest) => part.toggleAttribute("data-best", isBest), valueOf(table, "data-hinted") ?? [], new Map());
  if (table.querySelector("[data-bots]")) setTimeout(() => poll(table), POLL_MS);
  const mine = asked;
  if (table.querySelector("[data-hint-waits]")) setTimeout(() => mine === asked && look(table), HINT_MS);
}

/**
 * @param {Element} part
 * @param {boolean} isPicked
 */
function picked(part, isPicked) {
  part.toggleAttribute("data-picked", isPicked);
  part.setAttribute("aria-pressed", String(isPicked));
}

/**
 * Mark what lies on the felt, as often as a part is named: of several alike those that are wanted first, or all of them
 * where the part is all dice of a color.
 *
 * @param {Element} table
 * @param {(part: Element, isMarked: boolean) => void} set
 * @param {string[]} named
 * @param {Map<string, number[]>} wanted by part, places among those alike; what was marked is put there
 */
function mark(table, set, named, wanted) {
  for (const id of new Set([...table.querySelectorAll("[data-felt] [data-part]")].map((part) => part.getAttribute("data-part") ?? ""))) {
    const same = alikeOnFelt(table, id), times = named.filter((each) => each === id).length;
    const count = id.startsWith("all:") ? times * same.length : times;
    const marked = [...new Set([...(wanted.get(id) ?? []).filter((at) => at < same.length), ...same.keys()])].slice(0, count);
    same.forEach((part, at) => set(part, marked.includes(at)));
    wanted.set(id, marked);
  }
}

/**
 * Lay each favor that is chosen for a token on it.
 *
 * @param {HTMLElement} table
 * @param {string[]} now what is chosen: a favor and its token, or the other way round, one pair after the other
 */
function lay(table, now) {
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

/**
 * Ask whether the hint is there, and show it then; the focus stays where it is.
 *
 * @param {HTMLElement} table
 */
async function look(table) {
  if (document.visibilityState !== "visible") {
    document.addEventListener("visibilitychange", () => look(table), { once: true });
    return;
  }
  const mine = asked;
  /** @type {Response | null} */
  const answer = await fetch(withParts(table, chosen(table))).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  if (mine !== asked) return;
  const fresh = page?.querySelector("[data-play]");
  if (!fresh || fresh.querySelector("[data-hint-waits]")) {
    setTimeout(() => mine === asked && look(table), HINT_MS);
    return;
  }
  const typed = amountOf(table)?.value ?? "", held = document.activeElement;
  const again = held && table.contains(held) ? alike(table, held) : null;
  replace(table, fresh);
  const amount = amountOf(table);
  if (amount) amount.value = typed;
  ready(table);
  if (again) focus(table, ...again);
  hinted(table);
}

/**
 * How what takes an element's place is found once the table is drawn anew: by a selector, and its place among those.
 *
 * @param {Element} table
 * @param {Element} element
 * @returns {[string, number]}
 */
function alike(table, element) {
  const part = element.getAttribute("data-part");
  const selector = element.id ? `#${element.id}` : part ? `[data-felt] [data-part="${part}"]` : "[data-answer] button";
  return [selector, Math.max(0, [...table.querySelectorAll(selector)].indexOf(element))];
}

/**
 * Say what is shown of a hint.
 *
 * @param {HTMLElement} table
 */
function hinted(table) {
  const words = table.querySelector("[data-hint]")?.textContent?.replace(/\s+/g, " ").trim();
  if (said) said.textContent = words ?? "";
}

/**
 * Tell the server that the page is open; show that the table has ended, if it has.
 *
 * @param {HTMLElement} table
 */
async function seen(table) {
  if (!table.querySelector("[data-open]")) return;
  const mine = asked, answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 200 && mine === asked) await fetched(table, location.pathname, {});
}

/** @param {HTMLElement} table */
async function poll(table) {
  if (document.visibilityState !== "visible") {
    document.addEventListener("visibilitychange", () => poll(table), { once: true });
    return;
  }
  if (await fetched(table, location.pathname, {}) && !table.querySelector("[data-bots]")) focus(table, "[data-felt] [data-part]");
}

/**
 * @param {Element} table
 * @param {string} selector
 * @param {number} at which of those that fit
 */
function focus(table, selector, at = 0) {
  const found = table.querySelectorAll(selector)[at] ?? table.querySelector("#question");
  if (!(found instanceof HTMLElement || found instanceof SVGElement)) return;
  const box = found.getBoundingClientRect(), bar = found.closest("[data-bar]") ? null : table.querySelector("[data-bar]");
  // what is in view above the bar stays where it is, and so does the bar, which is always in view
  found.focus({ preventScroll: !bar || (box.top >= 0 && box.bottom <= bar.getBoundingClientRect().top) });
}
