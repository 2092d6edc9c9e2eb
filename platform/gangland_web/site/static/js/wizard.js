// @ts-check
/** Forms with times: the browser's own time zone; in that of a new tournament, the options of the chosen game alone. */

const form = document.querySelector("form[data-wizard]");

/** @param {HTMLFormElement} form */
function enliven(form) {
  const zone = /** @type {HTMLInputElement} */ (form.querySelector("input[name=zone]"));
  const times = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=datetime-local]"));
  const untouched = Array.from(times).every((time) => time.value === "");
  if (zone.value === "UTC" && untouched) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const game = form.querySelector("select[name=game]");
  if (!(game instanceof HTMLSelectElement)) return;
  const options = /** @type {NodeListOf<HTMLFieldSetElement>} */ (form.querySelectorAll("fieldset[data-game]"));
  const show = () => {
    for (const set of options) set.hidden = game.value !== "every" && set.dataset.game !== game.value;
  };
  game.addEventListener("change", show);
  show();
}

if (form instanceof HTMLFormElement) enliven(form);
