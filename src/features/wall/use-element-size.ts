import { useCallback, useState } from 'react';

export interface Size {
  width: number;
  height: number;
}

/** The screen's smaller side, px: what is read from afar is a part of it. */
export const screenSide = (): number => Math.min(window.innerWidth, window.innerHeight);

/** The size of an element in px, without reading the layout on each frame; zero until it is known. */
export function useElementSize(): {
  size: Size;
  measure: (element: HTMLElement | null) => (() => void) | undefined;
} {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const measure = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { size, measure };
}
