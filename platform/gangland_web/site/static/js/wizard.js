// @ts-check
/** Forms with times: fills in the browser's time zone, and shows only the options of the chosen game. */

const form = document.querySelector("form[data-wizard]");

/** @param {HTMLFormElement} form */
function initialize(form) {
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

if (form instanceof HTMLFormElement) initialize(form);
