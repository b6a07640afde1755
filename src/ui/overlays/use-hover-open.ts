/**
 * Opens a panel when the mouse rests on its trigger, and closes it when the mouse has left both. What was opened by a
 * press stays until it is closed.
 */
import { useDelayedHover } from '@mantine/core';
import { useEffect, useRef, type PointerEvent } from 'react';

/** An open panel. */
export interface Opened {
  anchor: HTMLElement;
  /** Opened by a press. */
  isPinned: boolean;
}

export interface HoverOptions {
  /** How long the mouse rests before the panel opens. */
  openDelayMs: number;
  /** Long enough to cross the gap between trigger and panel. */
  closeDelayMs: number;
  /** While something else in the closest element of this selector has the focus, the panel stays closed. */
  within: string;
}

/** Opens by a press alone. */
export const NO_HOVER: HoverOptions = { openDelayMs: 0, closeDelayMs: 0, within: '' };

function isBeside(element: Element | null, anchor: HTMLElement, within: string): boolean {
  return !anchor.contains(element) && anchor.closest(within)?.contains(element) === true;
}

/** What the trigger and the panel tell of the mouse. */
export function useHoverOpen(
  opened: Opened | null,
  setOpened: (change: (before: Opened | null) => Opened | null) => void,
  { openDelayMs, closeDelayMs, within }: HoverOptions,
) {
  const rested = useRef<HTMLElement | null>(null);
  const { openDropdown, closeDropdown } = useDelayedHover({
    open: () => {
      const anchor = rested.current;
      if (anchor === null || isBeside(document.activeElement, anchor, within)) return;
      setOpened((before) => before ?? { anchor, isPinned: false });
    },
    close: () => setOpened((before) => (before?.isPinned === true ? before : null)),
    openDelay: openDelayMs,
    closeDelay: closeDelayMs,
  });
  useEffect(() => {
    if (opened === null || opened.isPinned) return;
    const handleFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && isBeside(target, opened.anchor, within)) setOpened(() => null);
    };
    const handleKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpened(() => null);
    };
    document.addEventListener('focusin', handleFocus);
    document.addEventListener('keydown', handleKey);
    return () => {
      document.removeEventListener('focusin', handleFocus);
      document.removeEventListener('keydown', handleKey);
    };
  }, [opened, setOpened, within]);
  return {
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
      if (pointerType !== 'mouse') return;
      rested.current = currentTarget;
      openDropdown();
    },
    onPointerLeave: closeDropdown,
    /** The mouse is on the panel. */
    keepOpen: openDropdown,
    /** The trigger was pressed: the mouse that rests on it opens nothing any more. */
    forget: () => {
      rested.current = null;
    },
  };
}
