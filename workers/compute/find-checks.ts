import type { FoundCheck } from '../../src/contract/actions/compute-actions.ts';
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import { boardOf, type BoardInput } from '../../src/contract/health-board/health-board.ts';
import type { HealthQuery, HealthRow } from '../../src/contract/worker.ts';
import type { ComputePlatform } from './platform.ts';

/** Reading a store takes less. */
const MOST_WAIT_MS = 10_000;

interface ReadChecks {
  isLoaded: () => boolean;
  /** Calls when checks changed; answers how to stop it. */
  follow: (listener: () => void) => () => void;
}

/**
 * Goes on once the checks were read: a page may show rows of an earlier time before. What is not here yet is not none:
 * throws where it takes too long.
 */
export function whenRead(
  { isLoaded, follow }: ReadChecks,
  platform: Pick<ComputePlatform, 'later'>,
): Promise<void> {
  if (isLoaded()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = follow(() => {
      if (!isLoaded()) return;
      stop();
      resolve();
    });
    platform.later(MOST_WAIT_MS, () => {
      stop();
      reject(new AppError('storage', ERROR_TEXTS.storage, { retryable: true }));
    });
  });
}

function rowsOf(input: BoardInput, query: HealthQuery): HealthRow[] {
  const board = boardOf(input, { ...query, pivotBy: null });
  return board.rows(0, board.frame.rowCount);
}

function groupsOf(input: BoardInput, query: HealthQuery): string[] {
  if (query.groupBy === 'none') return [];
  const rows = rowsOf(input, { ...query, expanded: [] });
  return rows.flatMap((row) => (row.kind === 'group' ? [row.key] : []));
}

/** The checks that the question leaves, in its order, for who chooses: all (with null), or those of one group. */
export function findChecks(input: BoardInput, query: HealthQuery, only: string | null): FoundCheck[] {
  let group: string | null = null;
  const found: FoundCheck[] = [];
  const expanded = only === null ? groupsOf(input, query) : [only];
  for (const row of rowsOf(input, { ...query, expanded })) {
    if (row.kind === 'group') group = row.key;
    else found.push({ id: row.check.id, name: row.check.name, canaryId: row.check.canary_id, group });
  }
  return found;
}
