/**
 * A panel that opens beside its trigger, in the browser's top layer: Escape, a press outside and focus going
 * back to the trigger are the browser's own doing.
 */
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import classes from './Popover.module.css';

const GAP_PX = 6;
const EDGE_PX = 8;

/** What the trigger must carry. */
export interface TriggerProps {
  popoverTarget: string;
  'aria-expanded': boolean;
  'aria-haspopup': 'menu' | 'dialog';
}

interface PopoverProps {
  kind: 'menu' | 'dialog';
  label: string;
  trigger: (props: TriggerProps) => ReactNode;
  /** Rendered only while open. */
  children: (close: () => void) => ReactNode;
}

/** Below the trigger, its end aligned with the trigger's where there is no room to the right. */
function place(panel: HTMLElement, trigger: Element): void {
  const at = trigger.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const left = at.left + width + EDGE_PX > window.innerWidth ? at.right - width : at.left;
  const isRoomBelow = at.bottom + GAP_PX + height + EDGE_PX <= window.innerHeight;
  const top = isRoomBelow ? at.bottom + GAP_PX : Math.max(EDGE_PX, window.innerHeight - height - EDGE_PX);
  panel.style.left = `${Math.max(EDGE_PX, left)}px`;
  panel.style.top = `${top}px`;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const now = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items[(next + items.length) % items.length]?.focus();
}

export function Popover({ kind, label, trigger, children }: PopoverProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    const element = panel.current;
    if (element === null || !isOpen) return;
    const opener = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`);
    if (opener !== null) place(element, opener);
    if (kind === 'menu') element.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
  }, [id, isOpen, kind]);

  return (
    <>
      {trigger({ popoverTarget: id, 'aria-expanded': isOpen, 'aria-haspopup': kind })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={kind}
        aria-label={label}
        className={`${classes.panel} ${kind === 'menu' ? classes.menu : ''}`}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
        onKeyDown={kind === 'menu' ? moveFocus : undefined}
      >
        {isOpen && children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  );
}

/** One entry of a menu. */
export function MenuItem(props: {
  icon?: ReactNode;
  trailing?: ReactNode;
  children: ReactNode;
  isChecked?: boolean;
  onSelect: () => void;
}) {
  const { icon, trailing, children, isChecked, onSelect } = props;
  return (
    <button
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      {...(isChecked === undefined ? {} : { 'aria-checked': isChecked })}
      tabIndex={-1}
      className={classes.item}
      onClick={onSelect}
    >
      {icon}
      {children}
      {trailing !== undefined && <span className={classes.trailing}>{trailing}</span>}
    </button>
  );
}

/** Words in a menu that are no action. */
export function MenuNote({ children, isHeading = false }: { children: ReactNode; isHeading?: boolean }) {
  return <div className={isHeading ? classes.heading : classes.note}>{children}</div>;
}

export function MenuRule() {
  return <hr className={classes.rule} />;
}
