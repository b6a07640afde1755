/**
 * A line as it is drawn: pieces of its text, each with its colour, whether it was searched for, and where it leads.
 * Nothing is lost and nothing is markup; addresses are http and https alone (spec 3 §2 'Logs').
 */
import { textParts, visibleText } from '../plain-text.ts';
import type { AnsiRun, AnsiTone } from './ansi.ts';

export interface LinePiece {
  text: string;
  tone?: AnsiTone;
  isBold?: true;
  isFound?: true;
  /** The whole address that it is a part of. */
  href?: string;
}

interface Stretch {
  start: number;
  end: number;
}

/** Where the words stand in the text, in order, overlapping ones joined. */
function foundStretches(text: string, words: readonly string[]): Stretch[] {
  const lower = text.toLowerCase();
  // Some letters have another length in lower case: then no place can be told.
  if (lower.length !== text.length) return [];
  const all: Stretch[] = [];
  for (const word of words)
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
      all.push({ start: at, end: at + word.length });
  const joined: Stretch[] = [];
  for (const one of all.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && one.start <= last.end) last.end = Math.max(last.end, one.end);
    else joined.push({ ...one });
  }
  return joined;
}

function linkStretches(text: string): (Stretch & { href: string })[] {
  if (!/https?:/i.test(text)) return [];
  let at = 0;
  return textParts(text).flatMap((part) => {
    const start = at;
    at += part.text.length;
    return part.kind === 'link' ? [{ start, end: at, href: part.text }] : [];
  });
}

const around = <One extends Stretch>(all: readonly One[], at: number): One | undefined =>
  all.find(({ start, end }) => start <= at && at < end);

/** `runs` and `words` are of this text; marks that change the direction of text are made visible. */
export function linePieces(text: string, runs: readonly AnsiRun[], words: readonly string[]): LinePiece[] {
  const found = foundStretches(text, words);
  const links = linkStretches(text);
  const edges = new Set([0, text.length]);
  for (const { start, end } of [...found, ...links, ...runs]) {
    if (start < text.length) edges.add(start);
    edges.add(Math.min(end, text.length));
  }
  const order = [...edges].toSorted((a, b) => a - b);
  return order.slice(0, -1).map((start, at) => {
    const run = around(runs, start);
    const link = around(links, start);
    return {
      text: visibleText(text.slice(start, order[at + 1])),
      ...(run === undefined || run.tone === null ? {} : { tone: run.tone }),
      ...(run?.isBold === true ? { isBold: true as const } : {}),
      ...(around(found, start) === undefined ? {} : { isFound: true as const }),
      ...(link === undefined ? {} : { href: link.href }),
    };
  });
}
