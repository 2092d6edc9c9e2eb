// @ts-check
/** Saves, runs and uploads the text in the editor without leaving the page, and marks problems on their lines. */

const POLL_MS = 1000;
const RUN_POLL_MS = 250;
const SIGNED_OUT = "You are signed out. Sign in in another tab, then try again.";

/** @typedef {{code: string | null, title: string | null, message: string, line: number | null, fix: string | null}} Finding */
/** @typedef {{id: number, version: number}} Draft */
/** @typedef {Draft & {errors: Record<string, string>, line: number | null, is_saved: boolean}} Refused */
/** @typedef {{label: string, status: "done" | "failed" | "waiting"}} Step */
/** @typedef {{state: string, headline: string, terminal: boolean, steps: Step[], findings: Finding[]}} Version */

/** @param {Finding} found */
function findingText({ code, title, message, fix }) {
  return [code && title ? `${code} ${title}: ${message}` : message, fix ?? ""].filter(Boolean).join("\n");
}

/** @param {Step} step */
function stepElement({ label, status }) {
  const item = document.createElement("li"), mark = document.createElement("span"), text = document.createElement("div");
  item.className = status;
  mark.className = "mark";
  mark.textContent = { done: "✓", failed: "✕", waiting: "○" }[status];
  mark.ariaLabel = status;
  mark.setAttribute("role", "img");
  text.textContent = label;
  item.append(mark, text);
  return item;
}

/**
 * Scroll to an element that was just shown, to its top if it is taller than the window.
 *
 * @param {Element} shown
 */
function reveal(shown) {
  const isLong = shown.getBoundingClientRect().height > innerHeight * 0.8;
  shown.scrollIntoView({ block: isLong ? "start" : "nearest" });
}

/**
 * @param {HTMLFormElement} form
 * @param {import("../codemirror/codemirror.js").Editor} editor
 * @param {(text: string) => void} onSaved called with the text that was saved as a draft
 */
export function connectForm(form, editor, onSaved) {
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.querySelector(`[data-${name}]`));
  const tab = (/** @type {string} */ name) => /** @type {HTMLDetailsElement} */ (part(`tab=${name}`));
  const refused = part("refused"), progress = part("progress"), findings = part("findings");
  const link = /** @type {HTMLAnchorElement} */ (part("version"));
  let sent = 0;
  let started = document.body; // the button that was pressed last

  /** @param {string} text */
  function showError(text) {
    refused.textContent = text;
    refused.hidden = text === "";
    if (text) reveal(refused);
  }

  /** @param {Version} version */
  function show(version) {
    part("headline").textContent = version.headline;
    part("headline-note").className = `note ${{ active: "good", rejected: "bad" }[version.state] ?? ""}`;
    const isNew = progress.hidden;
    progress.hidden = false;
    tab("problems").open = true;
    part("steps").replaceChildren(...version.steps.map(stepElement));
    for (const next of document.querySelectorAll("[data-next]")) {
      const state = version.terminal ? version.state : "open";
      if (next instanceof HTMLElement) next.hidden = next.dataset.next !== state;
    }
    const shown = version.findings.map((found) => {
      const item = document.createElement("li");
      item.className = "said";
      item.dataset.message = "";
      item.textContent = (found.line === null ? "" : `Line ${found.line}: `) + findingText(found);
      return item;
    });
    findings.replaceChildren(...shown);
    if (isNew || version.terminal) reveal(progress);
    editor.showProblems(version.findings.flatMap((found) =>
      found.line === null ? [] : [{ line: found.line, message: findingText(found) }]));
  }

  /** @param {string} address @param {number} mine */
  async function follow(address, mine) {
    while (mine === sent) {
      const answer = await fetch(address);
      if (!answer.ok) return;
      const version = /** @type {Version} */ (await answer.json());
      if (mine !== sent) return;
      show(version);
      if (version.terminal) return;
      await new Promise((done) => { setTimeout(done, POLL_MS); });
    }
  }

  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

  /**
   * Send the form.  If its CSRF token has expired (after a day, or a new sign-in), send it again with a fresh one.
   * @param {string} address @param {FormData} body
   */
  async function post(address, body) {
    const sending = { method: "POST", body, headers: { Accept: "application/json" } };
    const answer = await fetch(address, sending);
    if (answer.status !== 400) return answer;
    const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
    const token = /** @type {HTMLInputElement | null} */ (page.querySelector("[data-editor] [name=csrf_token]"));
    if (!token) return answer;
    for (const each of document.querySelectorAll("[name=csrf_token]")) each.setAttribute("value", token.value);
    body.set("csrf_token", token.value);
    return fetch(address, sending);
  }

  /** @param {Draft} draft the saved draft @param {string} text its text, as sent */
  function saved(draft, text) {
    field("draft").value = form.dataset.draft = String(draft.id);
    field("version").value = String(draft.version);
    history.replaceState(null, "", `${location.pathname.replace(/\/runs\/\d+$/, "")}?draft=${draft.id}`);
    onSaved(text);
  }

  /** @param {Response} answer @param {string} text the sent text */
  async function showRefusal(answer, text) {
    const refusal = /** @type {Refused} */ (await answer.json());
    if (refusal.is_saved) saved(refusal, text);
    else if (answer.status === 409) field("version").value = String(refusal.version);
    showError(Object.values(refusal.errors).join("\n"));
    if (refusal.line !== null) editor.showProblems([{ line: refusal.line, message: refusal.errors.source }]);
  }

  /** @param {Response} answer @param {string} what the failed action */
  async function showFailure(answer, what) {
    if (answer.redirected) showError(SIGNED_OUT);
    else if (answer.status === 429) showError((await answer.json()).error.detail);
    else showError(`${what} (${answer.status} ${answer.statusText}). Try again later.`);
  }

  async function upload() {
    const mine = ++sent;
    const text = editor.text();
    showError("");
    clearRun();
    progress.hidden = true;
    editor.showProblems([]);
    const answer = await post(form.action, new FormData(form));
    if (answer.ok && !answer.redirected) {
      const reply = /** @type {Draft & {page: string, progress: string}} */ (await answer.json());
      saved(reply, text);
      link.href = reply.page;
      await follow(reply.progress, mine);
    } else if (answer.status === 409 || answer.status === 422) {
      await showRefusal(answer, text);
    } else {
      await showFailure(answer, "The upload failed");
    }
  }

  function clearRun() {
    for (const place of document.querySelectorAll("[data-run]")) place.replaceChildren();
  }

  /** Mark the problems that a run found on their lines. */
  function mark() {
    const found = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-run] [data-problem][data-line]")]);
    editor.showProblems(found.map((problem) => ({
      line: Number(problem.dataset.line),
      message: [...problem.querySelectorAll(":scope > p, :scope > .said")].map((each) => each.textContent).join("\n"),
    })));
  }

  /**
   * Scroll to the result of a run; if the user is typing meanwhile, only announce it.
   * @param {HTMLElement} run
   */
  function showResult(run) {
    const result = /** @type {HTMLElement} */ (run.querySelector("[data-result]"));
    const isElsewhere = ![document.body, started].includes(/** @type {HTMLElement} */ (document.activeElement));
    if (isElsewhere) {
      part("spoken").textContent = result.textContent;
    } else {
      result.tabIndex = -1;
      result.focus({ preventScroll: true });
      reveal(run);
    }
  }

  /** @param {string} address @param {number} mine */
  async function followRun(address, mine) {
    let isFirst = true;
    while (mine === sent) {
      const answer = await fetch(address, { cache: "no-store" });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("run");
      if (mine !== sent || !fresh) return;
      const name = fresh.dataset.tab ?? "", place = part(`run=${name}`);
      clearRun();
      place.append(document.importNode(fresh, true));
      tab(name).open = true;
      if (!("open" in fresh.dataset)) {
        mark();
        showResult(place);
        return;
      }
      if (isFirst) reveal(place);
      isFirst = false;
      await new Promise((done) => { setTimeout(done, RUN_POLL_MS); });
    }
  }

  /** @param {HTMLButtonElement} submitter */
  async function save(submitter) {
    const mine = ++sent;
    started = submitter;
    progress.hidden = true;
    if (submitter.name) clearRun();
    part("spoken").textContent = "";
    showError("");
    const text = editor.text();
    const body = new FormData(form);
    if (submitter.name) body.append(submitter.name, submitter.value);
    const answer = await post(submitter.getAttribute("formaction") ?? "", body);
    if (answer.ok && !answer.redirected) {
      const reply = /** @type {Draft & {run: string}} */ (await answer.json());
      saved(reply, text);
      if (reply.run) {
        editor.showProblems([]);
        await followRun(reply.run, mine);
      }
    } else if (answer.status === 409 || answer.status === 422) {
      await showRefusal(answer, text);
    } else {
      await showFailure(answer, "The draft was not saved");
    }
  }

  mark();
  const run = document.getElementById("run");
  if (run?.dataset.open) followRun(run.dataset.open, sent).catch(() => {});
  if (progress.dataset.follow) follow(progress.dataset.follow, sent).catch(() => {});
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation(); // otherwise the editor would start a new line
    if (part("check")) form.requestSubmit(part("check"));
  }, { capture: true });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const submitter = event.submitter;
    const isSave = submitter instanceof HTMLButtonElement && "saveDraft" in submitter.dataset;
    (isSave ? save(submitter) : upload()).catch(() => showError("The site cannot be reached. Your text is kept here; try again."));
  });
}
