// @ts-check
/**
 * Fills in the code from the link in an email.  The code is in the URL's fragment, which browsers do not send, so no
 * server logs it.  The script removes it from the URL; the form sends it.
 */

const field = document.querySelector("input[name=code]");
if (field instanceof HTMLInputElement && location.hash.length > 1) {
  field.value = location.hash.slice(1, 65);
  history.replaceState(null, "", location.pathname + location.search);
}
