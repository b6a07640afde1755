/** Choosing many checks of the board: a mode of it, with a box in each line and `x` on the line that has the focus. */
import { useCallback, useMemo, useState } from 'react';
import type { FoundCheck } from '../../../contract/actions/compute-actions.ts';
import type { HealthQuery, HealthRow } from '../../../contract/worker.ts';
import { useFoundChecks } from '../../../data/queries/health/use-found-checks.ts';
import type { Coverage } from '../../../domain/bulk/selection.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { useMayChoose, type ChosenThing } from '../../../ui/page/Bulk.tsx';
import { useSelection, type ListSelection } from '../../../ui/tables/choosing/use-selection.ts';
import { addTo } from '../../../lib/group-by.ts';

export interface ChooseChecks {
  mayChoose: boolean;
  isChoosing: boolean;
  toggleMode: () => void;
  /** Null while nothing is chosen by boxes. */
  chosenOf: (row: HealthRow) => Coverage | null;
  /** A group is chosen with all of its checks that the board shows once it is open. */
  onChoose: (row: HealthRow, isRange: boolean) => void;
  chosen: readonly ChosenThing[];
  matching: number;
  chooseAll: () => void;
  clear: () => void;
}

/** The ids of the checks by their groups. */
function membersOf(found: readonly FoundCheck[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { id, group } of found) {
    if (group === null) continue;
    addTo(members, group, id);
  }
  return members;
}

interface KnownChecks {
  /** Those of the board while somebody chooses, in order. */
  found: readonly FoundCheck[];
  /** Those that were met: what was chosen before the filter changed stays chosen. */
  known: ReadonlyMap<string, ChosenThing>;
  learn: (things: readonly ChosenThing[]) => void;
  /** Those of the board now: rows come, go and change places. */
  find: () => Promise<readonly FoundCheck[]>;
  findGroup: (group: string) => Promise<readonly FoundCheck[]>;
}

const thingOf = ({ id, name, canaryId }: FoundCheck): ChosenThing => ({ id, name, canaryId });

function useKnownChecks(query: HealthQuery, isChoosing: boolean, mark: unknown): KnownChecks {
  const toasts = useToasts();
  const { checks: found, find: askAll, findGroup: askGroup } = useFoundChecks(query, isChoosing, mark);
  const [known, setKnown] = useState<ReadonlyMap<string, ChosenThing>>(new Map());
  const learn = useCallback(
    (things: readonly ChosenThing[]) =>
      setKnown((before) => new Map([...before, ...things.map((thing) => [thing.id, thing] as const)])),
    [],
  );
  const told = useCallback(
    (checks: readonly FoundCheck[] | null) => {
      if (checks === null) toasts.error(ui.chooseAllFailed);
      return checks ?? [];
    },
    [toasts],
  );
  const find = useCallback(async () => told(await askAll()), [askAll, told]);
  const findGroup = useCallback(async (group: string) => told(await askGroup(group)), [askGroup, told]);
  return { found, known, learn, find, findGroup };
}

type Choices = Pick<ListSelection, 'choose' | 'toggleAll'>;

/** Takes a row in, or leaves it; with `isRange` all from the last one on. */
function useChooseRow({ choose, toggleAll }: Choices, { learn, find, findGroup }: KnownChecks) {
  const chooseRange = useCallback(
    async (row: HealthRow) => {
      const checks = await find();
      learn(checks.map(thingOf));
      const order = checks.map(({ id }) => id);
      const ids = row.kind === 'check' ? [row.check.id] : (membersOf(checks).get(row.key) ?? []);
      // To both ends of a group: all of it lies within, wherever the range began.
      for (const id of new Set([...ids.slice(0, 1), ...ids.slice(-1)])) choose(id, order);
    },
    [choose, find, learn],
  );
  const toggleGroup = useCallback(
    async (key: string) => {
      const members = await findGroup(key);
      learn(members.map(thingOf));
      toggleAll(members.map(({ id }) => id));
    },
    [findGroup, learn, toggleAll],
  );
  return useCallback(
    (row: HealthRow, isRange: boolean) => {
      if (row.kind === 'check') {
        const { id, name, canary_id: canaryId } = row.check;
        learn([{ id, name, canaryId }]);
        if (!isRange) choose(id);
      } else if (!isRange) void toggleGroup(row.key);
      if (isRange) void chooseRange(row);
    },
    [choose, chooseRange, learn, toggleGroup],
  );
}

/** `query` is what the board shows, `mark` changes with its rows. */
export function useChooseChecks(query: HealthQuery, mark: unknown): ChooseChecks {
  const mayChoose = useMayChoose('checks');
  const [isChoosing, setIsChoosing] = useState(false);
  const selection = useSelection();
  const checks = useKnownChecks(query, isChoosing, mark);
  const { found, known, learn, find } = checks;
  const { chooseAll, clear } = selection;
  const chooseRow = useChooseRow(selection, checks);
  const members = useMemo(() => membersOf(found), [found]);
  const onChoose = useCallback(
    (row: HealthRow, isRange: boolean) => {
      setIsChoosing(true);
      chooseRow(row, isRange);
    },
    [chooseRow],
  );
  const chosen = useMemo(
    () => [...selection.ids].flatMap((id) => known.get(id) ?? []),
    [selection.ids, known],
  );
  const takeAll = async () => {
    const all = await find();
    learn(all.map(thingOf));
    chooseAll(all.map(({ id }) => id));
  };
  const toggleMode = useCallback(() => {
    if (isChoosing) clear();
    setIsChoosing(!isChoosing);
  }, [isChoosing, clear]);
  return {
    mayChoose,
    isChoosing: mayChoose && isChoosing,
    toggleMode,
    chosenOf(row) {
      if (!mayChoose || !isChoosing) return null;
      return selection.coverage(row.kind === 'check' ? [row.check.id] : (members.get(row.key) ?? []));
    },
    onChoose,
    chosen,
    matching: found.length,
    chooseAll: () => void takeAll(),
    clear,
  };
}
