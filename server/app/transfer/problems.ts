/** Gathers why a data set can't be taken: up to fifty reasons, each with file, row and column. */
import { TransferRefused } from './data-set.ts';

const MAX_PROBLEMS = 50;

export interface Problem {
  table: string;
  /** From 1, where it is known. */
  row: number | null;
  /** What names the row for a person: its id, or its key. */
  id: string | null;
  column: string | null;
  reason: string;
}

export interface Problems {
  add(problem: Problem): void;
  /** Enough is known; looking further only costs time. */
  isFull(): boolean;
  /** Throws with the whole list if there is any. */
  refuseIfAny(): void;
}

function lineOf({ table, row, id, column, reason }: Problem): string {
  const place = [
    `${table}.json`,
    ...(row === null ? [] : [`row ${row}`]),
    ...(id === null ? [] : [`(${id})`]),
  ].join(' ');
  return `  ${place}: ${column === null ? '' : `${column} `}${reason}`;
}

/** Reasons past the fiftieth are dropped; `refuseIfAny` throws `TransferRefused` with those gathered. */
export function createProblems(): Problems {
  const found: Problem[] = [];
  const isFull = () => found.length >= MAX_PROBLEMS;
  return {
    add(problem) {
      if (!isFull()) found.push(problem);
    },
    isFull,
    refuseIfAny() {
      if (found.length === 0) return;
      const lines = ['Nothing was imported. What stands in the way:', ...found.map(lineOf)];
      if (isFull()) lines.push(`  … and perhaps more: these are the first ${MAX_PROBLEMS}`);
      throw new TransferRefused(lines.join('\n'));
    },
  };
}
