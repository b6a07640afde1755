import { useCallback, useEffect, useRef } from 'react';

/** The element around it that scrolls; null for the page. */
function scrollerOf(element: Element): Element | null {
  for (let at = element.parentElement; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}

/** For the element at the end of a list: `onNear` is called when it is no more than so many px out of sight. */
export function useNearEnd(distancePx: number, onNear: () => void) {
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
        },
        { root: scrollerOf(element), rootMargin: `${distancePx}px 0px` },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [distancePx],
  );
}
