/**
 * A popover that also opens when the pointer rests on its trigger (spec 3 §9: a second), and goes when it leaves. While
 * something else of the same entry has the focus (a question that is to be answered) it stays closed.
 */
import { useEffect, useRef, type ReactNode } from 'react';
import { Popover } from '../../../ui/overlays/Popover.tsx';

const OPEN_AFTER_MS = 1000;
/** Long enough to reach the card across the gap between. */
const CLOSE_AFTER_MS = 300;

interface HoverPopoverProps {
  label: string;
  className: string | undefined;
  trigger: ReactNode;
  children: ReactNode;
}

export function HoverPopover({ label, className, trigger, children }: HoverPopoverProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const card = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isHovered = useRef(false);
  const stop = () => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  };
  useEffect(() => stop, []);
  useEffect(() => {
    const entry = button.current?.closest('li');
    const handleFocus = ({ target }: FocusEvent) => {
      if (!isHovered.current || !(target instanceof Node)) return;
      if (button.current?.contains(target) === true || card.current?.contains(target) === true) return;
      isHovered.current = false;
      const opened = button.current?.popoverTargetElement;
      if (opened instanceof HTMLElement && opened.matches(':popover-open')) opened.hidePopover();
    };
    entry?.addEventListener('focusin', handleFocus);
    return () => entry?.removeEventListener('focusin', handleFocus);
  }, []);
  const panel = () => {
    const target = button.current?.popoverTargetElement;
    return target instanceof HTMLElement ? target : null;
  };
  const isBusyBeside = () => {
    const { activeElement } = document;
    const entry = button.current?.closest('li');
    return activeElement !== button.current && entry?.contains(activeElement) === true;
  };
  const enter = () => {
    stop();
    timer.current = setTimeout(() => {
      if (isBusyBeside()) return;
      isHovered.current = true;
      if (panel()?.matches(':popover-open') === false) panel()?.showPopover();
    }, OPEN_AFTER_MS);
  };
  const leave = () => {
    stop();
    // What was opened by a press stays until it is closed.
    if (!isHovered.current) return;
    timer.current = setTimeout(() => {
      if (card.current?.matches(':hover') === true) return;
      isHovered.current = false;
      if (panel()?.matches(':popover-open') === true) panel()?.hidePopover();
    }, CLOSE_AFTER_MS);
  };
  return (
    <Popover
      kind="dialog"
      label={label}
      trigger={(props) => (
        <button
          ref={button}
          type="button"
          className={className}
          {...props}
          onPointerEnter={(event) => {
            if (event.pointerType === 'mouse') enter();
          }}
          onPointerLeave={leave}
          onPointerDown={() => {
            stop();
            isHovered.current = false;
          }}
        >
          {trigger}
        </button>
      )}
    >
      {() => (
        <div ref={card} onPointerLeave={leave}>
          {children}
        </div>
      )}
    </Popover>
  );
}
