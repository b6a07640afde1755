/**
 * A jq expression from the pieces of its template. What was put in never becomes jq: each value is a variable, named in
 * a string as an interpolation, elsewhere as itself: a number, true, false or null where it reads as one, else a text.
 */
import type { TemplatePiece } from '../../templates/template-pieces.ts';

export interface JqText {
  expression: string;
  /** By name, without the $; the values are JSON. */
  variables: Record<string, unknown>;
}

/** Where the text ends: in a string, or in so many parentheses of interpolations of strings. */
interface Place {
  /** Innermost last: a string, or the depth of parentheses inside an interpolation. */
  open: ('string' | number)[];
}

function advance(text: string, { open }: Place): void {
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    const inside = open.at(-1);
    if (inside === 'string') {
      const isInterpolation = sign === '\\' && text[at + 1] === '(';
      if (sign === '"') open.pop();
      if (isInterpolation) open.push(0);
      if (sign === '\\') at += 1;
    } else if (sign === '"') open.push('string');
    else if (sign === '#') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (typeof inside === 'number' && (sign === '(' || sign === ')')) {
      open.pop();
      if (sign === '(') open.push(inside + 1);
      else if (inside > 0) open.push(inside - 1);
    }
  }
}

const SCALAR = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

const typed = (value: string): unknown =>
  SCALAR.test(value) ? (JSON.parse(value.replace(/^(-?)0+(?=\d)/, '$1')) as unknown) : value;

/** Nothing of a value can end the string or the expression that it stands in. */
export function jqText(pieces: readonly TemplatePiece[]): JqText {
  const variables: Record<string, unknown> = {};
  const place: Place = { open: [] };
  let expression = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      expression += piece.text;
      advance(piece.text, place);
      continue;
    }
    const name = `holdfast_value_${Object.keys(variables).length + 1}`;
    const isInString = place.open.at(-1) === 'string';
    variables[name] = isInString ? piece.value : typed(piece.value);
    expression += isInString ? `\\($${name})` : `$${name}`;
  }
  return { expression, variables };
}
