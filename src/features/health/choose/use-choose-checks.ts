/** Choosing many checks of the board: a mode of it, with a box in each line and `x` on the line that has the focus. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { HealthQuery, HealthRow } from '../../../contract/worker.ts';
import { findChecks, useFoundCount } from '../../../data/queries/health/use-found-checks.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages as ui } from '../../../ui/messages.ts';
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
  const toasts = useToasts();
  const matching = useFoundCount(query, isChoosing, mark);
  const asked = useRef(query);
  useEffect(() => {
    asked.current = query;
  });
  // What was chosen before the filter changed stays chosen.
  const [known, setKnown] = useState<ReadonlyMap<string, ChosenThing>>(new Map());
  const { choose, chooseAll, clear } = selection;
  const learn = useCallback(
    (things: readonly ChosenThing[]) =>
      setKnown((before) => new Map([...before, ...things.map((thing) => [thing.id, thing] as const)])),
    [],
  );
  // A range, and all, are of the rows as they stand when they are asked for: rows come, go and change places meanwhile.
  const find = useCallback(async () => {
    const found = await findChecks(asked.current);
    if (found === null) toasts.error(ui.chooseAllFailed);
    learn(found ?? []);
    return (found ?? []).map((check) => check.id);
  }, [learn, toasts]);
  const onChoose = useCallback(
    (row: HealthRow, isRange: boolean) => {
      if (row.kind !== 'check') return;
      setIsChoosing(true);
      const { id, name, canary_id: canaryId } = row.check;
      learn([{ id, name, canaryId }]);
      if (isRange) void find().then((order) => choose(id, order));
      else choose(id);
    },
    [choose, find, learn],
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
    matching,
    chooseAll: () => void find().then(chooseAll),
    clear,
  };
}
