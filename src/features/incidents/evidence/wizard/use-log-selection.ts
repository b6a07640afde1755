import { useState } from 'react';

interface Press {
  /** Extends from the line that was pressed before. */
  isExtending: boolean;
}

/**
 * Which lines of a log are chosen, by pressing and by keys. `shown` are the indexes of the lines on screen, in
 * order: a range takes what is shown between its ends, and nothing that is filtered away.
 */
export function useLogSelection(
  shown: readonly number[],
  {
    selected,
    onSelected,
  }: { selected: ReadonlySet<number>; onSelected: (selected: ReadonlySet<number>) => void },
) {
  const [active, setActive] = useState(0);
  const [anchor, setAnchor] = useState<number | null>(null);
  const [isRange, setIsRange] = useState(false);
  const extendTo = (at: number) => {
    const from = anchor === null ? at : shown.indexOf(anchor);
    const [first, last] = [Math.min(from < 0 ? at : from, at), Math.max(from < 0 ? at : from, at)];
    onSelected(new Set([...selected, ...shown.slice(first, last + 1)]));
  };
  const press = (at: number, { isExtending }: Press) => {
    const index = shown[at];
    if (index === undefined) return;
    setActive(at);
    if ((isExtending || isRange) && anchor !== null) {
      extendTo(at);
      setIsRange(false);
      return;
    }
    const next = new Set(selected);
    if (!next.delete(index)) next.add(index);
    onSelected(next);
    setAnchor(index);
  };
  const move = (to: number, { isExtending }: Press) => {
    const at = Math.max(0, Math.min(shown.length - 1, to));
    if (isExtending) {
      const from = shown[active];
      if (anchor === null && from !== undefined) setAnchor(from);
      const first = Math.min(active, at);
      onSelected(new Set([...selected, ...shown.slice(first, Math.max(active, at) + 1)]));
    }
    setActive(at);
    return at;
  };
  return {
    selected,
    active: Math.min(active, Math.max(0, shown.length - 1)),
    isRange,
    setIsRange,
    press,
    move,
    selectAll: () => onSelected(new Set([...selected, ...shown])),
  };
}
