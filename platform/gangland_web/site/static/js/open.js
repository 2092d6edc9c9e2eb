// @ts-check
/** Sends a replay file as soon as it is dropped on the form or chosen; without this script, the button sends it. */

const form = document.querySelector("form[data-open]");
const zone = document.querySelector("[data-drop]");
const input = document.getElementById("file");

if (form instanceof HTMLFormElement && zone instanceof HTMLElement && input instanceof HTMLInputElement) {
  for (const hint of form.querySelectorAll("[data-script]")) hint.removeAttribute("hidden");
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const files = event.dataTransfer?.files;
    if (!files?.length) return;
    input.files = files;
    form.requestSubmit();
  });
  input.addEventListener("change", () => {
    if (input.files?.length) form.requestSubmit();
  });
}
