import { useEffect, useRef, type RefObject } from 'react';

const CURRENT = '[aria-current="page"], [aria-selected="true"]';

/** What somebody scrolls with. */
const SCROLLS = ['wheel', 'touchmove'] as const;

type Stretch = readonly [from: number, to: number];

/** How far to scroll, so that what is outside of a room stands in its middle; 0 where it is inside. */
function wayTo([from, to]: Stretch, room: Stretch): number {
  return from >= room[0] && to <= room[1] ? 0 : (from + to - room[0] - room[1]) / 2;
}

function bringIntoSight(list: HTMLElement): void {
  const box = list.querySelector(CURRENT)?.getBoundingClientRect();
  if (box === undefined) return;
  const room = list.getBoundingClientRect();
  list.scrollLeft += wayTo([box.left, box.right], [room.left, room.right]);
  list.scrollTop += wayTo([box.top, box.bottom], [room.top, room.bottom]);
}

/**
 * In a list that shows only some of its entries, the current one comes into sight when it changes, when `entries` do, and
 * when the list gets another size, as it does when its dialog opens. Where somebody scrolled since, it stays: nothing
 * moves under a finger. The list alone scrolls: the browser's own `scrollIntoView` would move the page as well.
 */
export function useCurrentInSight<E extends HTMLElement>(
  current: string,
  entries: string,
): RefObject<E | null> {
  const list = useRef<E>(null);
  const scrolledAt = useRef<string | null>(null);
  useEffect(() => {
    const note = () => {
      scrolledAt.current = current;
    };
    const element = list.current;
    for (const what of SCROLLS) element?.addEventListener(what, note, { passive: true });
    return () => {
      for (const what of SCROLLS) element?.removeEventListener(what, note);
    };
  }, [current]);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    // It tells at once what size there is.
    const observer = new ResizeObserver(() => {
      if (scrolledAt.current !== current) bringIntoSight(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [current, entries]);
  return list;
}
