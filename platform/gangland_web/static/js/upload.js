// @ts-check
/** The upload form: drop a file on it, and let the bot's name follow the file's stem. */

const form = document.querySelector("form[data-upload]");

/** @param {string} filename */
function stem(filename) {
  return filename.replace(/^.*[\\/]/, "").replace(/\.(py|zip)$/i, "");
}

/** @param {HTMLFormElement} form */
function enliven(form) {
  const zone = /** @type {HTMLElement} */ (form.querySelector("[data-drop]"));
  const file = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const name = /** @type {HTMLInputElement} */ (form.querySelector("input[name=name]"));
  const chosenWords = /** @type {HTMLElement} */ (form.querySelector("[data-chosen]"));
  let typed = name.value !== "";
  name.addEventListener("input", () => { typed = name.value !== ""; });
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen && !typed) name.value = stem(chosen.name);
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
