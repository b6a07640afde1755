/** Parser of Go templates: text, pipelines, if / else if / else, range, with. */
import type { Operand, Pipeline, TemplateNode } from './go-template-syntax.ts';
import { splitTemplate, tokenize } from './go-template-tokens.ts';
import type { Chunk, Token } from './go-template-tokens.ts';

const BLOCKS = new Set(['if', 'with', 'range']);
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['nil', null],
]);
const MAX_DEPTH = 50;

const isBlock = (word: string): word is 'if' | 'with' | 'range' => BLOCKS.has(word);

/** The tree of a template; throws with a one-line reason. */
export function parseTemplate(template: string): TemplateNode[] {
  const chunks = splitTemplate(template);
  const state = { chunks, at: 0 };
  const body = parseBody(state, 0);
  if (state.at < chunks.length) throw new Error(`unexpected {{${sourceAt(state)}}}`);
  return body;
}

interface ParseState {
  chunks: Chunk[];
  at: number;
}

function sourceAt(state: ParseState): string {
  const chunk = state.chunks[state.at];
  return chunk?.kind === 'action' ? chunk.source : '';
}

/** Nodes up to an `else` or `end`, which stays unread. */
function parseBody(state: ParseState, depth: number): TemplateNode[] {
  if (depth > MAX_DEPTH) throw new Error('blocks are nested too deeply');
  const nodes: TemplateNode[] = [];
  for (; state.at < state.chunks.length;) {
    const chunk = state.chunks[state.at];
    if (chunk === undefined) break;
    if (chunk.kind === 'text') {
      nodes.push({ kind: 'text', text: chunk.text });
      state.at += 1;
      continue;
    }
    const word = /^\w+/.exec(chunk.source)?.[0] ?? '';
    if (word === 'end' || word === 'else') return nodes;
    state.at += 1;
    if (isBlock(word))
      nodes.push(parseBlock(state, { word, source: chunk.source.slice(word.length), depth }));
    else nodes.push({ kind: 'action', pipeline: parsePipeline(chunk.source) });
  }
  return nodes;
}

function parseBlock(
  state: ParseState,
  block: { word: 'if' | 'with' | 'range'; source: string; depth: number },
): TemplateNode {
  const pipeline = parsePipeline(block.source);
  const body = parseBody(state, block.depth + 1);
  const end = sourceAt(state);
  state.at += 1;
  if (end === 'end') return { kind: block.word, pipeline, body, otherwise: [] };
  const chained = /^else\s+(if|with)\b/.exec(end);
  if (chained !== null) {
    const word = chained[1] === 'with' ? 'with' : 'if';
    const inner = parseBlock(state, { word, source: end.slice(chained[0].length), depth: block.depth + 1 });
    return { kind: block.word, pipeline, body, otherwise: [inner] };
  }
  if (end !== 'else') throw new Error(`{{${block.word}}} has no {{end}}`);
  const otherwise = parseBody(state, block.depth + 1);
  if (sourceAt(state) !== 'end') throw new Error(`{{${block.word}}} has no {{end}}`);
  state.at += 1;
  return { kind: block.word, pipeline, body, otherwise };
}

function parsePipeline(source: string): Pipeline {
  const cursor = { tokens: tokenize(source), at: 0 };
  const pipeline = readPipeline(cursor);
  const rest = cursor.tokens[cursor.at];
  if (rest !== undefined) throw new Error(`unexpected "${rest.text}" in {{${source.trim()}}}`);
  return pipeline;
}

interface Cursor {
  tokens: Token[];
  at: number;
}

function readDeclaration(cursor: Cursor): { variables: string[]; isAssignment: boolean } {
  const variables: string[] = [];
  let at = cursor.at;
  while (cursor.tokens[at]?.kind === 'variable') {
    variables.push(cursor.tokens[at]?.text ?? '');
    at += 1;
    if (cursor.tokens[at]?.text !== ',') break;
    at += 1;
  }
  const sign = cursor.tokens[at];
  if (variables.length === 0 || sign?.kind !== 'symbol' || !['=', ':='].includes(sign.text))
    return { variables: [], isAssignment: false };
  cursor.at = at + 1;
  return { variables, isAssignment: sign.text === '=' };
}

function readPipeline(cursor: Cursor): Pipeline {
  const declaration = readDeclaration(cursor);
  const commands: Operand[][] = [readCommand(cursor)];
  while (cursor.tokens[cursor.at]?.text === '|' && cursor.tokens[cursor.at]?.kind === 'symbol') {
    cursor.at += 1;
    commands.push(readCommand(cursor));
  }
  return { ...declaration, commands };
}

function readCommand(cursor: Cursor): Operand[] {
  const operands: Operand[] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at];
    if (token === undefined || (token.kind === 'symbol' && token.text !== '(')) break;
    cursor.at += 1;
    operands.push(withFields(readOperand(token, cursor), cursor));
  }
  if (operands.length === 0) throw new Error('a command is missing');
  return operands;
}

function withFields(operand: Operand, cursor: Cursor): Operand {
  for (;;) {
    const token = cursor.tokens[cursor.at];
    if (token?.kind !== 'field' || !token.isGlued) return operand;
    operand.fields.push(token.text.slice(1));
    cursor.at += 1;
  }
}

function readOperand(token: Token, cursor: Cursor): Operand {
  switch (token.kind) {
    case 'string':
      return { kind: 'literal', value: readString(token.text), fields: [] };
    case 'number':
      return { kind: 'literal', value: Number(token.text), fields: [] };
    case 'variable':
      return { kind: 'variable', name: token.text, fields: [] };
    case 'field':
      return { kind: 'dot', fields: [token.text.slice(1)] };
    case 'dot':
      return { kind: 'dot', fields: [] };
    case 'word':
      return WORDS.has(token.text)
        ? { kind: 'literal', value: WORDS.get(token.text), fields: [] }
        : { kind: 'function', name: token.text, fields: [] };
    case 'symbol': {
      const pipeline = readPipeline(cursor);
      if (cursor.tokens[cursor.at]?.text !== ')') throw new Error('a ")" is missing');
      cursor.at += 1;
      return { kind: 'group', pipeline, fields: [] };
    }
  }
}

function readString(text: string): string {
  if (text.startsWith('`')) return text.slice(1, -1);
  const value: unknown = JSON.parse(text);
  return String(value);
}
