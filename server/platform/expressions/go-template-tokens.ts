/** Cuts a Go template into text and actions, and an action into tokens. */

export type Chunk = { kind: 'text'; text: string } | { kind: 'action'; source: string };

/** Text and actions in order; `{{-` and `-}}` have taken the white space beside them, comments are gone. */
export function splitTemplate(template: string): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  let shouldTrim = false;
  const pushText = (text: string) =>
    chunks.push({ kind: 'text', text: shouldTrim ? text.trimStart() : text });
  for (;;) {
    const open = template.indexOf('{{', at);
    if (open === -1) break;
    const close = endOfAction(template, open + 2);
    if (close === -1) throw new Error('an action "{{" is not closed');
    let source = template.slice(open + 2, close);
    let text = template.slice(at, open);
    if (/^-\s/.test(source)) {
      text = text.trimEnd();
      source = source.slice(1);
    }
    pushText(text);
    shouldTrim = /\s-$/.test(source);
    if (shouldTrim) source = source.slice(0, -1);
    source = source.trim();
    if (!source.startsWith('/*')) chunks.push({ kind: 'action', source });
    at = close + 2;
  }
  pushText(template.slice(at));
  return chunks;
}

/** Where the action's `}}` is, looking past strings. */
function endOfAction(template: string, from: number): number {
  const strings = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|\}\}/g;
  strings.lastIndex = from;
  for (let match = strings.exec(template); match !== null; match = strings.exec(template)) {
    if (match[0] === '}}') return match.index;
  }
  return -1;
}

export interface Token {
  kind: 'string' | 'number' | 'word' | 'variable' | 'field' | 'dot' | 'symbol';
  text: string;
  /** No white space before it: `.a.b` is one path, `.a .b` are two arguments. */
  isGlued: boolean;
}

const TOKENS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['string', /"(?:[^"\\\n]|\\.)*"|`[^`]*`/y],
  ['number', /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy],
  ['variable', /\$\w*/y],
  ['field', /\.[A-Za-z_]\w*/y],
  ['word', /[A-Za-z_]\w*/y],
  ['dot', /\./y],
  ['symbol', /:=|=|\||\(|\)|,/y],
];

/** The tokens of one action. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const space = /\s+/y;
    space.lastIndex = at;
    const gap = space.exec(source)?.[0].length ?? 0;
    at += gap;
    if (at >= source.length) break;
    const token = tokenAt(source, at);
    tokens.push({ ...token, isGlued: gap === 0 && tokens.length > 0 });
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(source: string, at: number): Omit<Token, 'isGlued'> {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { kind, text };
  }
  throw new Error(`unexpected "${source.slice(at, at + 10)}"`);
}
