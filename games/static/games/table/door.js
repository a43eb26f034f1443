/** Ways from the page to the site that are forms. */

import { el } from "../kit/dom.js";

/** The token that Django wants with a post: the browser's present one, since logging in changes it. */
export function csrf() {
  const kept = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
  return (
    kept?.[1] ??
    /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ??
    ""
  );
}

/**
 * Send a form to one of the table's doors; the page that answers takes the place of this one.
 *
 * @param {string} address
 * @param {Record<string, string>} [fields]
 */
export function post(address, fields = {}) {
  const inputs = Object.entries({ csrfmiddlewaretoken: csrf(), ...fields }).map(([name, value]) =>
    el("input", { type: "hidden", name, value }),
  );
  const form = el("form", { method: "post", action: address, hidden: true }, inputs);
  document.body.append(form);
  form.submit();
}
