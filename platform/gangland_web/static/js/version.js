// @ts-check
/**
 * Follows a version on its way: asks for the page's JSON twin every two seconds and stops at a terminal state.
 * Without this script a reload shows the same.
 */

const EVERY_MS = 2000;

/** @typedef {{ state: string, label: string, mark: string, at: string | null, took: string, message: string, status: string }} Step */
/** @typedef {{ state: string, terminal: boolean, headline: string, steps: Step[] }} Progress */

/**
 * @param {Element} item
 * @param {Step} step
 */
function showStep(item, step) {
  item.className = step.status;
  /** @param {string} name @param {string} text */
  const put = (name, text) => {
    const target = item.querySelector(`[data-${name}]`);
    if (target && target.textContent !== text) target.textContent = text;
  };
  put("mark", step.mark);
  put("said", step.status === "done" ? "done" : step.status === "failed" ? "failed" : "waiting");
  put("at", step.at ?? "");
  put("took", step.took);
  const message = item.querySelector("[data-message]");
  if (message instanceof HTMLElement) {
    message.textContent = step.message;
    message.hidden = step.message === "";
  }
}

/**
 * @param {HTMLElement} root
 * @param {Progress} progress
 */
function show(root, progress) {
  const items = root.querySelectorAll("[data-step]");
  progress.steps.forEach((step, index) => {
    const item = items[index];
    if (item) showStep(item, step);
  });
  const headline = root.querySelector("[data-headline]");
  if (headline && headline.textContent !== progress.headline) headline.textContent = progress.headline;
}

/** @param {HTMLElement} root */
async function follow(root) {
  const address = root.dataset.progress;
  if (!address) return;
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, EVERY_MS); });
    if (document.hidden) continue;
    try {
      const answer = await fetch(address, { headers: { accept: "application/json" } });
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return;
      if (!answer.ok) continue;
      const progress = /** @type {Progress} */ (await answer.json());
      show(root, progress);
      if (progress.terminal) {
        location.reload();
        return;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // the network is away: ask again
    }
  }
}

const root = document.querySelector("[data-progress]");
if (root instanceof HTMLElement) void follow(root);
