/** A filled template in pieces: what its author wrote, and what was put in. */

export type TemplatePiece = { kind: 'text'; text: string } | { kind: 'value'; value: string };

const MARKED = /\0([^\0:]*):([A-Za-z0-9+/=]*)\0/g;

/** The output of a template whose values are marked (expressions/script.ts), in order; no empty texts. */
export function piecesOf(output: string, mark: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let from = 0;
  for (const match of output.matchAll(MARKED)) {
    if (match[1] !== mark) continue;
    if (match.index > from) pieces.push({ kind: 'text', text: output.slice(from, match.index) });
    pieces.push({ kind: 'value', value: Buffer.from(match[2] ?? '', 'base64').toString('utf8') });
    from = match.index + match[0].length;
  }
  if (from < output.length) pieces.push({ kind: 'text', text: output.slice(from) });
  return pieces;
}
