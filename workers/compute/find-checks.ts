import type { FoundCheck } from '../../src/contract/actions/compute-actions.ts';
import { boardOf, type BoardInput } from '../../src/contract/health-board/health-board.ts';
import type { HealthQuery } from '../../src/contract/worker.ts';

/** Every check that the question leaves, in its order, whatever groups are open: for who chooses all or a range. */
export function findChecks(input: BoardInput, query: HealthQuery): FoundCheck[] {
  const board = boardOf(input, { ...query, groupBy: 'none', pivotBy: null });
  return board
    .rows(0, board.frame.rowCount)
    .flatMap((row) =>
      row.kind === 'check' ? [{ id: row.check.id, name: row.check.name, canaryId: row.check.canary_id }] : [],
    );
}
