/**
 * Choosing many rows of a list that holds only a window of them: what was chosen stays chosen while other rows are on
 * screen, so it is remembered by what it is, not only by its id.
 */
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { BulkKind } from '../../../domain/bulk/bulk-verbs.ts';
import { messages } from '../../messages.ts';
import { Bulk, useMayChoose, type ChosenThing } from '../../page/Bulk.tsx';
import { ChooseBox } from './ChooseBox.tsx';
import { useAllOfList, type AllOfList } from './use-all-of-list.ts';
import { useSelection } from './use-selection.ts';

export interface KnownChoosing {
  mayChoose: boolean;
  isChosen: (id: string) => boolean;
  /** Takes it in, or leaves it; with `isRange` all from the last one on, as far as they are on screen. */
  choose: (thing: ChosenThing, isRange: boolean) => void;
  /** The box of a row; nothing where rows can't be chosen. */
  box: (thing: ChosenThing) => ReactNode;
  /** Of all that are on screen. */
  boxOfAll: ReactNode;
  bar: ReactNode;
}

/** `shown` are the rows on screen in their order, the same array until they change. */
export function useKnownChoosing(
  kind: BulkKind,
  shown: readonly ChosenThing[],
  all: AllOfList,
): KnownChoosing {
  const mayChoose = useMayChoose(kind);
  const selection = useSelection();
  const [known, setKnown] = useState<ReadonlyMap<string, ChosenThing>>(new Map());
  const order = useMemo(() => shown.map(({ id }) => id), [shown]);
  const learn = useCallback(
    (things: readonly ChosenThing[]) =>
      setKnown((before) => new Map([...before, ...things.map((thing) => [thing.id, thing] as const)])),
    [],
  );
  const { known: found, takeAll } = useAllOfList(all, selection.chooseAll);
  const chosen = useMemo(() => {
    // As they are on screen now, where they are.
    const now = new Map([...found, ...known.values(), ...shown].map((thing) => [thing.id, thing]));
    return [...selection.ids].flatMap((id) => now.get(id) ?? []);
  }, [selection.ids, found, known, shown]);
  const { choose: take } = selection;
  const choose = useCallback(
    (thing: ChosenThing, isRange: boolean) => {
      learn(isRange ? [...shown, thing] : [thing]);
      take(thing.id, isRange ? order : null);
    },
    [learn, take, shown, order],
  );
  const toggleAll = () => {
    learn(shown);
    selection.toggleAll(order);
  };
  return {
    mayChoose,
    isChosen: selection.isChosen,
    choose,
    box: (thing) =>
      mayChoose && (
        <ChooseBox
          label={messages.choose(thing.name)}
          state={selection.isChosen(thing.id) ? 'all' : 'none'}
          isPassedByTab
          onPress={(isRange) => choose(thing, isRange)}
        />
      ),
    boxOfAll: mayChoose && (
      <ChooseBox label={messages.choosePage} state={selection.coverage(order)} onPress={toggleAll} />
    ),
    bar: mayChoose && (
      <Bulk kind={kind} chosen={chosen} matching={all.count} onAll={takeAll} onClear={selection.clear} />
    ),
  };
}
