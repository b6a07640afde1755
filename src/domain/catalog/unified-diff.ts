/**
 * Unified diffs, taken apart: hunks with the numbers of their lines, and both sides put together from them. Only
 * what the diff holds can be shown: what lies between hunks stays a gap, with the lines that it stands for.
 */
import { lookupTable } from '../../lib/lookup-table.ts';
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface Hunk {
  /** Number of the first line, from 1. */
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const KINDS = lookupTable<DiffLine['kind']>({ ' ': 'same', '+': 'added', '-': 'removed' });

/** The hunks of a diff; empty for a text that is none. */
export function parseUnifiedDiff(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let left = { old: 0, now: 0 };
  for (const line of diff.split(/\r?\n/)) {
    const head = HEAD.exec(line);
    const hunk = hunks.at(-1);
    // A removed line may look like a file's head; only the counts say where a hunk ends.
    if (head !== null && left.old <= 0 && left.now <= 0) {
      left = { old: Number(head[2] ?? 1), now: Number(head[4] ?? 1) };
      hunks.push({ oldStart: Number(head[1]), newStart: Number(head[3]), lines: [] });
      continue;
    }
    if (hunk === undefined || (left.old <= 0 && left.now <= 0)) continue;
    // An empty line stands for an empty unchanged one: editors cut the space at its end.
    const kind = line === '' ? 'same' : KINDS[line.charAt(0)];
    if (kind === undefined) continue;
    hunk.lines.push({ kind, text: line.slice(1) });
    if (kind !== 'added') left.old -= 1;
    if (kind !== 'removed') left.now -= 1;
  }
  return hunks;
}

export interface DiffSide {
  lines: string[];
  /** The number of each line; for a gap, the lines that it stands for. */
  numbers: (number | { from: number; to: number })[];
}

function emptySide(): DiffSide {
  return { lines: [], numbers: [] };
}

function addGap(side: DiffSide, mark: string, gap: { from: number; to: number }): void {
  side.lines.push(mark);
  side.numbers.push(gap);
}

/** Both sides, as far as the hunks tell; `mark` is the line that stands for what lies between them. */
export function sidesOf(hunks: readonly Hunk[], mark: string): { before: DiffSide; after: DiffSide } {
  const [before, after] = [emptySide(), emptySide()];
  let next = { old: 1, now: 1 };
  for (const hunk of hunks) {
    if (hunk.oldStart > next.old && hunk.newStart > next.now) {
      addGap(before, mark, { from: next.old, to: hunk.oldStart - 1 });
      addGap(after, mark, { from: next.now, to: hunk.newStart - 1 });
    }
    next = { old: hunk.oldStart, now: hunk.newStart };
    for (const { kind, text } of hunk.lines) {
      if (kind !== 'added') {
        before.lines.push(text);
        before.numbers.push(next.old);
        next.old += 1;
      }
      if (kind !== 'removed') {
        after.lines.push(text);
        after.numbers.push(next.now);
        next.now += 1;
      }
    }
  }
  return { before, after };
}

/** How many lines came and went. */
export function diffCounts(hunks: readonly Hunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  };
}
