/**
 * A panel that opens beside its trigger when that is pressed. Escape, a press outside and a second press on the trigger
 * close it. Until then a trigger is only a trigger: the panel's file is loaded when the first one opens.
 */
import {
  lazy,
  Suspense,
  useCallback,
  useState,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { messages } from '../messages.ts';
import type { FloatingPanelProps } from './FloatingPanel.tsx';
import { useMenuParts, type MenuItemProps } from './menu-parts.ts';
import classes from './Popover.module.css';
import { NO_HOVER, useHoverOpen, type HoverOptions, type Opened } from './use-hover-open.ts';

/** What the trigger must carry. */
export interface TriggerProps {
  'aria-expanded': boolean;
  'aria-haspopup': 'menu' | 'dialog';
  onClick: (event: MouseEvent<HTMLElement>) => void;
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: () => void;
}

interface PopoverProps {
  kind: 'menu' | 'dialog';
  label: string;
  trigger: (props: TriggerProps) => ReactNode;
  /** It also opens when the mouse rests on the trigger. */
  hover?: HoverOptions;
  /** Rendered only while open. */
  children: (close: () => void) => ReactNode;
}

function MissingPanel({ onClose }: Pick<FloatingPanelProps, 'onClose'>) {
  return (
    <p role="alert" className={`${classes.panel} ${classes.missing}`} onPointerDown={onClose}>
      {messages.partMissing}
    </p>
  );
}

const loadPanel = () => import('./FloatingPanel.tsx');

/** The panel, from the file that has it; where that can't be loaded words say so. */
export const LazyPanel = lazy(async () => ({
  default: await loadPanel().then(
    (file) => file.FloatingPanel,
    () => MissingPanel,
  ),
}));

/** Loads it before somebody presses. */
export function preloadPanel(): void {
  loadPanel().catch(() => {});
}

/** See the head of this file. */
export function Popover({ kind, label, trigger, hover = NO_HOVER, children }: PopoverProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const { onPointerEnter, onPointerLeave, keepOpen, forget } = useHoverOpen(opened, setOpened, hover);
  const close = useCallback(() => setOpened(null), []);
  const handleClick = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    forget();
    setOpened(opened === null ? { anchor: currentTarget, isPinned: true } : null);
  };
  const closeAndReturn = () => {
    opened?.anchor.focus();
    close();
  };
  return (
    <>
      {trigger({
        'aria-expanded': opened !== null,
        'aria-haspopup': kind,
        onClick: handleClick,
        ...(hover === NO_HOVER ? {} : { onPointerEnter, onPointerLeave }),
      })}
      {opened !== null && (
        <Suspense fallback={null}>
          <LazyPanel
            kind={kind}
            label={label}
            anchor={opened.anchor}
            takesFocus={opened.isPinned}
            onPointerEnter={keepOpen}
            onPointerLeave={onPointerLeave}
            onClose={close}
          >
            {children(closeAndReturn)}
          </LazyPanel>
        </Suspense>
      )}
    </>
  );
}

/** One entry of a menu. */
export function MenuItem(props: MenuItemProps) {
  const { Item } = useMenuParts();
  return <Item {...props} />;
}

/** Words in a menu that are no action. */
export function MenuNote({ children, isHeading = false }: { children: ReactNode; isHeading?: boolean }) {
  const { Label } = useMenuParts();
  return <Label className={isHeading ? classes.heading : classes.note}>{children}</Label>;
}

/** A line between groups of entries. */
export function MenuRule() {
  const { Divider } = useMenuParts();
  return <Divider />;
}
