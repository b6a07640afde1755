/**
 * More about something small, shown when the pointer rests on it for a while or the focus is in it. Only more of
 * what the trigger says itself: by touch it never opens.
 */
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { LazyPanel } from './Popover.tsx';
import classes from './Popover.module.css';

interface HoverCardProps {
  delayMs: number;
  children: ReactNode;
  /** Rendered only while open. */
  card: () => ReactNode;
}

/** See the head of this file. */
export function HoverCard({ delayMs, children, card }: HoverCardProps) {
  const [near, setNear] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (near === null) return;
    const timer = setTimeout(() => setIsOpen(true), delayMs);
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setNear(null);
    };
    document.addEventListener('keydown', handleKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', handleKey);
      setIsOpen(false);
    };
  }, [near, delayMs]);
  const close = useCallback(() => setNear(null), []);
  return (
    <span
      className={classes.trigger}
      onPointerEnter={({ pointerType, currentTarget }) => {
        if (pointerType === 'mouse') setNear(currentTarget);
      }}
      onPointerLeave={close}
      onFocus={({ currentTarget }) => setNear(currentTarget)}
      onBlur={close}
    >
      {children}
      {isOpen && near !== null && (
        <Suspense fallback={null}>
          <LazyPanel kind="tooltip" anchor={near} takesFocus={false} onClose={close}>
            {card()}
          </LazyPanel>
        </Suspense>
      )}
    </span>
  );
}
