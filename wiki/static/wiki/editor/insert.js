// Changing the text of a field so that the browser's own undo knows of it.

/** Puts `made` in place of the selection. @param {HTMLTextAreaElement} field @param {string} made */
export function insertText(field, made) {
  const { selectionStart: start, selectionEnd: end } = field;
  if (!made && start === end) return;
  field.focus();
  // execCommand keeps the browser's own undo; where it is gone the text is set directly
  const done = made ? document.execCommand("insertText", false, made) : document.execCommand("delete");
  if (!done) {
    field.setRangeText(made, start, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Puts a mark before and after the selection, or takes it away; chooses what stands between.
 * @param {HTMLTextAreaElement} field @param {string} before @param {string} after
 * @param {string} sample stands where nothing is chosen */
export function wrap(field, before, after, sample) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const chosen = value.slice(start, end);
  if (isWrapped(value, start, end, before, after)) {
    field.setSelectionRange(start - before.length, end + after.length);
    insertText(field, chosen);
    field.setSelectionRange(start - before.length, end - before.length);
    return;
  }
  const [lead, word, tail] = chosen.match(/^(\s*)([\s\S]*?)(\s*)$/)?.slice(1) ?? ["", chosen, ""];
  insertText(field, lead + before + (word || sample) + after + tail);
  const first = start + lead.length + before.length;
  field.setSelectionRange(first, first + (word || sample).length);
}

/** Whether the selection stands between these marks. Of stars one is italic, two are bold, three are both.
 * @param {string} text @param {number} start @param {number} end @param {string} before @param {string} after */
function isWrapped(text, start, end, before, after) {
  if (before[0] !== "*") return text.slice(0, start).endsWith(before) && text.startsWith(after, end);
  const left = text.slice(0, start).match(/\**$/)?.[0].length ?? 0;
  const right = text.slice(end).match(/^\**/)?.[0].length ?? 0;
  const stars = Math.min(left, right);
  return stars >= 3 || stars === before.length;
}

/** Writes each chosen line anew and chooses them all. @param {HTMLTextAreaElement} field
 * @param {(lines: string[]) => string[]} change */
export function changeLines(field, change) {
  const { value } = field;
  const start = value.lastIndexOf("\n", field.selectionStart - 1) + 1;
  const next = value.indexOf("\n", Math.max(field.selectionEnd - 1, start));
  const end = next < 0 ? value.length : next;
  field.setSelectionRange(start, end);
  const made = change(value.slice(start, end).split("\n")).join("\n");
  insertText(field, made);
  field.setSelectionRange(start, start + made.length);
}

/** Puts a block on lines of its own, with a blank line on each side, and chooses a part of it.
 * @param {HTMLTextAreaElement} field @param {string} block @param {string} part */
export function insertBlock(field, block, part) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const above = value.slice(0, start);
  const below = value.slice(end);
  const lead = !above || above.endsWith("\n\n") ? "" : above.endsWith("\n") ? "\n" : "\n\n";
  const tail = !below || below.startsWith("\n\n") ? "" : below.startsWith("\n") ? "\n" : "\n\n";
  insertText(field, lead + block + tail);
  const first = start + lead.length + block.indexOf(part);
  field.setSelectionRange(first, first + part.length);
}
