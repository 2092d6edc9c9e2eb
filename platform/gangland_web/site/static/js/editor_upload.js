// @ts-check
/** Sends in what is in the editor, without leaving the page: how far it has come, and what is wrong on its line. */

const ASKS_EVERY_MS = 1000;
const SIGNED_OUT = "You are not signed in any more. Sign in in another tab, then try again.";

/** @typedef {{code: string | null, title: string | null, message: string, line: number | null, mend: string | null}} Finding */
/** @typedef {{headline: string, terminal: boolean, findings: Finding[]}} Version */

/** @param {Finding} found */
function words({ code, title, message, mend }) {
  return [code && title ? `${code} ${title}: ${message}` : message, mend ?? ""].filter(Boolean).join("\n");
}

/**
 * @param {HTMLFormElement} form
 * @param {import("../codemirror/codemirror.js").Editor} editor
 * @param {(text: string) => void} onSaved what is to be done once this text is saved as a draft
 */
export function sendIn(form, editor, onSaved) {
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (form.querySelector(`[data-${name}]`));
  const refused = part("refused"), progress = part("progress"), findings = part("findings");
  const link = /** @type {HTMLAnchorElement} */ (part("version"));
  let sent = 0;

  /** @param {string} text */
  function refuse(text) {
    refused.textContent = text;
    refused.hidden = text === "";
  }

  /** @param {Version} version */
  function show(version) {
    part("headline").textContent = version.headline;
    progress.hidden = false;
    const shown = version.findings.map((found) => {
      const item = document.createElement("li");
      item.className = "said";
      item.textContent = (found.line === null ? "" : `Line ${found.line}: `) + words(found);
      return item;
    });
    findings.replaceChildren(...shown);
    editor.showProblems(version.findings.flatMap((found) =>
      found.line === null ? [] : [{ line: found.line, message: words(found) }]));
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
      await new Promise((done) => { setTimeout(done, ASKS_EVERY_MS); });
    }
  }

  async function upload() {
    const mine = ++sent;
    refuse("");
    progress.hidden = true;
    editor.showProblems([]);
    const headers = { Accept: "application/json" };
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers });
    if (answer.ok && !answer.redirected) {
      const taken = await answer.json();
      link.href = taken.page;
      await follow(taken.progress, mine);
    } else if (answer.status === 422) {
      const why = /** @type {{errors: Record<string, string>, line: number | null}} */ (await answer.json());
      refuse(Object.values(why.errors).join("\n"));
      if (why.line !== null) editor.showProblems([{ line: why.line, message: why.errors.source }]);
    } else if (answer.redirected) {
      refuse(SIGNED_OUT);
    } else {
      refuse(`The upload was not taken (${answer.status} ${answer.statusText}). Try again later.`);
    }
  }

  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

  async function save() {
    refuse("");
    const text = editor.text();
    const headers = { Accept: "application/json" };
    const answer = await fetch(form.dataset.save ?? "", { method: "POST", body: new FormData(form), headers });
    if (answer.ok && !answer.redirected) {
      const saved = /** @type {{id: number, version: number}} */ (await answer.json());
      field("draft").value = form.dataset.draft = String(saved.id);
      field("version").value = String(saved.version);
      history.replaceState(null, "", `${location.pathname}?draft=${saved.id}`);
      onSaved(text);
    } else if (answer.status === 409 || answer.status === 422) {
      const why = /** @type {{errors: Record<string, string>, version: number}} */ (await answer.json());
      if (answer.status === 409) field("version").value = String(why.version);
      refuse(Object.values(why.errors).join("\n"));
    } else {
      refuse(answer.redirected ? SIGNED_OUT : `The draft was not saved (${answer.status} ${answer.statusText}). Try again later.`);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const saves = event.submitter instanceof HTMLElement && "saveDraft" in event.submitter.dataset;
    (saves ? save() : upload()).catch(() => refuse("The site cannot be reached. Your text is kept here; try again."));
  });
}
