/**
 * A statement from the pieces of its template. What was put in is a parameter of the statement, never part of its text:
 * where the text around it doesn't allow a parameter, the database refuses the statement.
 */
import type { TemplatePiece } from './template-pieces.ts';

export interface SqlText {
  query: string;
  parameters: string[];
}

/** `placeholder`: how the driver writes the parameter of that number, from 1. Quotes right around a value go. */
export function sqlText(pieces: readonly TemplatePiece[], placeholder: (number: number) => string): SqlText {
  const parameters: string[] = [];
  let query = '';
  let isQuoted = false;
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'text') {
      query += isQuoted ? piece.text.slice(1) : piece.text;
      isQuoted = false;
      continue;
    }
    const next = pieces[at + 1];
    isQuoted = query.endsWith("'") && next?.kind === 'text' && next.text.startsWith("'");
    if (isQuoted) query = query.slice(0, -1);
    parameters.push(piece.value);
    query += placeholder(parameters.length);
  }
  return { query, parameters };
}
