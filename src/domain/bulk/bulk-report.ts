/** What came of something that was done to many, one by one. */

/** waiting: not done yet; taken-back: by its author, before it left. */
export type BulkState = 'waiting' | 'done' | 'refused' | 'taken-back';

export interface BulkResult {
  /** Of this one alone. */
  key: string;
  name: string;
  state: BulkState;
  /** Why it was refused. */
  reason: string | null;
}

export interface BulkReport {
  title: string;
  results: readonly BulkResult[];
}

/** How many are in each state. */
export function countStates(results: readonly Pick<BulkResult, 'state'>[]): Record<BulkState, number> {
  const figures = { waiting: 0, done: 0, refused: 0, 'taken-back': 0 };
  for (const { state } of results) figures[state] += 1;
  return figures;
}

const RANK: Readonly<Record<BulkState, number>> = { refused: 0, waiting: 1, 'taken-back': 2, done: 3 };

/** The first `most` in the order in which somebody wants to read them: what was refused stands first. */
export function firstResults(results: readonly BulkResult[], most: number): BulkResult[] {
  const heaps: BulkResult[][] = [[], [], [], []];
  for (const result of results) {
    const heap = heaps[RANK[result.state]];
    if (heap !== undefined && heap.length < most) heap.push(result);
  }
  return heaps.flat().slice(0, most);
}
