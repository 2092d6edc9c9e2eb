// @ts-check
/**
 * Types the code from a mail's link for its reader.  It stands behind the # of the address, which browsers send to
 * nobody, so it is in no server's log; from here it goes with the form, and from the address at once.
 */

const field = document.querySelector("input[name=code]");
if (field instanceof HTMLInputElement && location.hash.length > 1) {
  field.value = location.hash.slice(1, 65);
  history.replaceState(null, "", location.pathname + location.search);
}
