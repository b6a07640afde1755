/** Choosing many checks of the board: a mode of it, with a box in each line and `x` on the line that has the focus. */
import { useCallback, useMemo, useState } from 'react';
import type { HealthQuery, HealthRow } from '../../../contract/worker.ts';
import { useFoundChecks } from '../../../data/queries/health/use-found-checks.ts';
import { useMayChoose, type ChosenThing } from '../../../ui/page/Bulk.tsx';
import { useSelection } from '../../../ui/tables/choosing/use-selection.ts';

export interface ChooseChecks {
  mayChoose: boolean;
  isChoosing: boolean;
  toggleMode: () => void;
  ids: ReadonlySet<string>;
  /** Null while nothing is chosen by boxes. */
  onChoose: (row: HealthRow, isRange: boolean) => void;
  chosen: readonly ChosenThing[];
  matching: number;
  chooseAll: () => void;
  clear: () => void;
}

/** `query` is what the board shows, `mark` changes with its rows. */
export function useChooseChecks(query: HealthQuery, mark: unknown): ChooseChecks {
  const mayChoose = useMayChoose('checks');
  const [isChoosing, setIsChoosing] = useState(false);
  const selection = useSelection();
  const found = useFoundChecks(query, isChoosing, mark);
  // What was chosen before the filter changed stays chosen.
  const [known, setKnown] = useState<ReadonlyMap<string, ChosenThing>>(new Map());
  const order = useMemo(() => found.map(({ id }) => id), [found]);
  const { choose, chooseAll, clear } = selection;
  const learn = useCallback(
    (things: readonly ChosenThing[]) =>
      setKnown((before) => new Map([...before, ...things.map((thing) => [thing.id, thing] as const)])),
    [],
  );
  const onChoose = useCallback(
    (row: HealthRow, isRange: boolean) => {
      if (row.kind !== 'check') return;
      setIsChoosing(true);
      const { id, name, canary_id: canaryId } = row.check;
      learn(isRange ? found : [{ id, name, canaryId }]);
      choose(id, isRange ? order : null);
    },
    [choose, learn, found, order],
  );
  const chosen = useMemo(
    () => [...selection.ids].flatMap((id) => known.get(id) ?? []),
    [selection.ids, known],
  );
  const toggleMode = useCallback(() => {
    if (isChoosing) clear();
    setIsChoosing(!isChoosing);
  }, [isChoosing, clear]);
  return {
    mayChoose,
    isChoosing: mayChoose && isChoosing,
    toggleMode,
    ids: selection.ids,
    onChoose,
    chosen,
    matching: found.length,
    chooseAll: () => {
      learn(found);
      chooseAll(order);
    },
    clear,
  };
}
