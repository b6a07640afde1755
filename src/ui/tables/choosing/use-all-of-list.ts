/** Choosing all that a list's filter leaves where the list shows a page or a window of it. */
import { useState } from 'react';
import { useToasts } from '../../feedback/Toasts.tsx';
import { messages } from '../../messages.ts';
import type { ChosenThing } from '../../page/Bulk.tsx';

export interface AllOfList {
  count: number;
  /** On screen or not; null when they can't be told now. */
  find: () => Promise<readonly ChosenThing[] | null>;
}

const NONE: readonly ChosenThing[] = [];

/** `known` is what was found last; null is a list that shows all it has. */
export function useAllOfList(
  all: AllOfList | null,
  choose: (ids: readonly string[]) => void,
): { known: readonly ChosenThing[]; takeAll: (() => void) | null } {
  const toasts = useToasts();
  const [known, setKnown] = useState(NONE);
  if (all === null) return { known: NONE, takeAll: null };
  const take = async () => {
    const found = await all.find();
    if (found === null) return toasts.error(messages.chooseAllFailed);
    setKnown(found);
    choose(found.map(({ id }) => id));
  };
  return { known, takeAll: () => void take() };
}
