// @ts-check
/** The upload form: drop a file on it, and let the bot's name and game follow the file. */

const form = document.querySelector("form[data-upload]");

/** @param {string} filename */
function stem(filename) {
  return filename.replace(/^.*[\\/]/, "").replace(/\.(py|zip)$/i, "");
}

const READ_BYTES = 256 * 1024;

/**
 * The games that a source imports, as the server finds them too; the check has the last word.
 * @param {string} source
 * @param {string[]} games
 */
function gamesNamed(source, games) {
  const lines = source.match(/^[ \t]*(?:from|import)[ \t]+gangland\b[^\n#]*/gm) ?? [];
  return games.filter((game) => lines.some((line) => line.includes(game.replaceAll("-", "_"))));
}

/** @param {HTMLFormElement} form */
function followGame(form) {
  const choices = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[name=game]")]);
  const words = /** @type {HTMLElement} */ (form.querySelector("[data-detected-game]"));
  let picked = false;
  for (const choice of choices) choice.addEventListener("change", () => { picked = true; });
  return (/** @type {string} */ source) => {
    const found = gamesNamed(source, choices.map((choice) => choice.value));
    if (found.length !== 1 || picked) return;
    for (const choice of choices) choice.checked = choice.value === found[0];
    const label = choices.find((choice) => choice.checked)?.parentElement?.textContent?.trim();
    words.textContent = `${label}, detected from the file's imports.`;
  };
}

/** @param {HTMLFormElement} form */
function enliven(form) {
  const tellGame = followGame(form);
  const pasted = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea[name=source]"));
  pasted.addEventListener("input", () => tellGame(pasted.value.slice(0, READ_BYTES)));
  const zone = /** @type {HTMLElement} */ (form.querySelector("[data-drop]"));
  const file = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const name = /** @type {HTMLInputElement} */ (form.querySelector("input[name=name]"));
  const chosenWords = /** @type {HTMLElement} */ (form.querySelector("[data-chosen]"));
  let typed = name.value !== "";
  name.addEventListener("input", () => { typed = name.value !== ""; });
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen && !typed) name.value = stem(chosen.name);
    if (chosen?.name.endsWith(".py")) chosen.slice(0, READ_BYTES).text().then(tellGame, () => {});
    chosenWords.textContent = chosen ? `Chosen: ${chosen.name}, ${Math.max(1, Math.round(chosen.size / 1024))} KiB` : "";
  });
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (!event.dataTransfer?.files.length) return;
    file.files = event.dataTransfer.files;
    file.dispatchEvent(new Event("change"));
  });
}

if (form instanceof HTMLFormElement) enliven(form);

export {};
