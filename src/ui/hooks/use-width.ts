import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * How wide an element is, in px: taken to be that of the page's main part until it is laid out, then watched. What is
 * wrong about the first is drawn anew before it is painted.
 */
export function useWidth(): {
  width: number;
  measure: (element: HTMLElement | null) => (() => void) | undefined;
} {
  const [width, setWidth] = useState(() => document.querySelector('main')?.clientWidth ?? 0);
  const measure = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) flushSync(() => setWidth(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { width, measure };
}
