/**
 * More about something small, shown when the pointer rests on it for a while or the focus is in it. Only more of
 * what the trigger says itself: by touch it never opens.
 */
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import classes from './HoverCard.module.css';

const GAP_PX = 6;
const EDGE_PX = 8;

interface HoverCardProps {
  delayMs: number;
  children: ReactNode;
  /** Rendered only while open. */
  card: () => ReactNode;
}

export function HoverCard({ delayMs, children, card }: HoverCardProps) {
  const trigger = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isNear) return;
    const timer = setTimeout(() => setIsOpen(true), delayMs);
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setIsNear(false);
    };
    document.addEventListener('keydown', handleKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', handleKey);
      setIsOpen(false);
    };
  }, [isNear, delayMs]);
  useEffect(() => {
    const [element, opener] = [panel.current, trigger.current];
    if (!isOpen || element === null || opener === null) return;
    // The top layer: no table or scrolling box cuts it off.
    element.showPopover();
    const at = opener.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const below = at.bottom + GAP_PX;
    const top = below + height + EDGE_PX <= window.innerHeight ? below : at.top - GAP_PX - height;
    element.style.left = `${Math.max(EDGE_PX, Math.min(at.left, window.innerWidth - width - EDGE_PX))}px`;
    element.style.top = `${Math.max(EDGE_PX, top)}px`;
  }, [isOpen]);
  return (
    <span
      ref={trigger}
      className={classes.trigger}
      onPointerEnter={(event) => setIsNear(event.pointerType === 'mouse')}
      onPointerLeave={() => setIsNear(false)}
      onFocus={() => setIsNear(true)}
      onBlur={() => setIsNear(false)}
    >
      {children}
      {isOpen && (
        <div ref={panel} popover="manual" role="tooltip" className={classes.card}>
          {card()}
        </div>
      )}
    </span>
  );
}
