// @ts-check
/** Buttons that copy a text (`data-copy` is the id of the element or field that has it) or print the page. */

for (const button of document.querySelectorAll("button[data-print]")) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.hidden = false;
  button.addEventListener("click", () => { window.print(); });
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!(button instanceof HTMLButtonElement) || !navigator.clipboard) continue;
  const content = Array.from(button.childNodes);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy ?? "");
    const text = source instanceof HTMLInputElement ? source.value : source?.textContent ?? "";
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy failed";
    }
    setTimeout(() => { button.replaceChildren(...content); }, 2000);
  });
}
