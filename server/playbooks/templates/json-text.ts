/** A JSON document from the pieces of its template: what was put in stays one value of it. */
import type { TemplatePiece } from './template-pieces.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Then it is a text that somebody wants to stand there.
    return false;
  }
}

/** Whether a text is open after it. */
function isOpenAfter(text: string, isOpen: boolean): boolean {
  let open = isOpen;
  for (let at = 0; at < text.length; at += 1) {
    if (open && text[at] === '\\') at += 1;
    else if (text[at] === '"') open = !open;
  }
  return open;
}

/** True for a template of a JSON document. */
export const isJsonTemplate = (template: string): boolean =>
  /^\s*[[{]/.test(template) && !/^\s*{{/.test(template);

/** Values within texts are escaped; elsewhere a number, a list and their like stay, anything else becomes a text. */
export function jsonText(pieces: readonly TemplatePiece[]): string {
  let json = '';
  let isOpen = false;
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      json += piece.text;
      isOpen = isOpenAfter(piece.text, isOpen);
    } else if (isOpen) json += JSON.stringify(piece.value).slice(1, -1);
    else json += isJson(piece.value) ? piece.value : JSON.stringify(piece.value);
  }
  return json;
}
