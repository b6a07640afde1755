/** A popover that also opens when the pointer rests on its trigger (spec 3 §9: a second), and goes when it leaves. */
import { useEffect, useRef, type ReactNode } from 'react';
import { Popover } from '../../../ui/Popover.tsx';

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
  const panel = () => {
    const target = button.current?.popoverTargetElement;
    return target instanceof HTMLElement ? target : null;
  };
  const enter = () => {
    stop();
    timer.current = setTimeout(() => {
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
