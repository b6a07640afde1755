/** Bodies of forms and of XML from the pieces of their template: what was put in stays one value. */
import type { TemplatePiece } from './template-pieces.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

type BodyText = (pieces: readonly TemplatePiece[]) => string;

const joined =
  (escaped: (value: string) => string): BodyText =>
  (pieces) =>
    pieces.map((piece) => (piece.kind === 'text' ? piece.text : escaped(piece.value))).join('');

/** Half a character is none that can be sent. */
const wellFormed = (value: string) => Buffer.from(value, 'utf8').toString('utf8');

/** `a={{…}}&b=…`: a value has no `&` and no `=` of its own. */
export const formText: BodyText = joined((value) => encodeURIComponent(wellFormed(value)));

const ENTITIES = lookupTable<string>({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
});

/** A value is text of an element or of an attribute, never markup. */
export const xmlText: BodyText = joined((value) =>
  value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character),
);

/** How values stand in a body of that content type; null where any text is one. */
export function bodyTextFor(contentType: string, template: string): BodyText | null {
  if (/x-www-form-urlencoded/i.test(contentType)) return formText;
  return /\bxml\b/i.test(contentType) || /^\s*<[?!a-z]/i.test(template) ? xmlText : null;
}
