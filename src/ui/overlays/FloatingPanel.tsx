/**
 * The panels of Popover and HoverCard: Mantine's, in a file of their own that is loaded when the first one opens. They
 * lie in the dialog that their trigger is in, if any: what is outside of a modal dialog is below it.
 */
import { FocusTrap, Menu, Popover } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useCallback, useId, useLayoutEffect, type ComponentProps, type ReactNode, type Ref } from 'react';
import { MenuPartsContext, type MenuItemProps, type MenuParts } from './menu-parts.ts';
import classes from './Popover.module.css';

type Middlewares = NonNullable<ComponentProps<typeof Popover>['middlewares']>;

const GAP_PX = 6;
const EDGE_PX = 8;

export interface FloatingPanelProps {
  kind: 'menu' | 'dialog' | 'tooltip';
  label?: string;
  /** What it stands beside. */
  anchor: HTMLElement;
  /** Goes into the panel, and back where it was when Escape closes it. */
  takesFocus: boolean;
  onPointerEnter?: () => void;
  onPointerLeave?: () => void;
  onClose: () => void;
  children: ReactNode;
}

const MIDDLEWARES: Middlewares = {
  flip: { padding: EDGE_PX, fallbackPlacements: ['bottom-end', 'top-start', 'top-end'] },
  shift: { padding: EDGE_PX, crossAxis: true },
};

/** Stands in for the trigger, which is there before this file is. */
function Anchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element);
  }, [element, ref]);
  return null;
}

function Item({ icon, trailing, children, isChecked, isOn, onSelect }: MenuItemProps) {
  if (isOn !== undefined) {
    return (
      <Menu.CheckboxItem checked={isOn} rightSection={trailing} onClick={onSelect}>
        {children}
      </Menu.CheckboxItem>
    );
  }
  if (isChecked === undefined) {
    return (
      <Menu.Item leftSection={icon} rightSection={trailing} onClick={onSelect}>
        {children}
      </Menu.Item>
    );
  }
  return (
    <Menu.RadioItem value="" checked={isChecked} rightSection={trailing} onClick={onSelect}>
      {children}
    </Menu.RadioItem>
  );
}

const PARTS: MenuParts = { Item, Label: Menu.Label, Divider: Menu.Divider };
const MENU_CLASSES = {
  dropdown: `${classes.panel} ${classes.menu}`,
  item: `${classes.item}`,
  itemIndicator: `${classes.tick}`,
  itemSection: `${classes.section}`,
  divider: `${classes.rule}`,
};

type Key = Pick<KeyboardEvent, 'key' | 'preventDefault' | 'stopPropagation'>;

/** What Escape does in the panel, and on the anchor, where the focus is until the panel has taken it. */
function useEscape({ anchor, onClose }: Pick<FloatingPanelProps, 'anchor' | 'onClose'>) {
  const handleEscape = useCallback(
    (event: Key) => {
      if (event.key !== 'Escape') return;
      // The panel goes, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      anchor.focus();
      onClose();
    },
    [anchor, onClose],
  );
  useLayoutEffect(() => {
    const handleOnAnchor = (event: KeyboardEvent) => {
      if (event.target instanceof Node && anchor.contains(event.target)) handleEscape(event);
    };
    // Before a panel around the anchor hears of it.
    window.addEventListener('keydown', handleOnAnchor, true);
    return () => window.removeEventListener('keydown', handleOnAnchor, true);
  }, [anchor, handleEscape]);
  return handleEscape;
}

/** A panel beside its anchor: below, else above; its end aligned with the anchor's where there is no room. */
export function FloatingPanel(props: FloatingPanelProps) {
  const { kind, label, anchor, takesFocus, onPointerEnter, onPointerLeave, onClose, children } = props;
  const id = useId();
  const handleEscape = useEscape({ anchor, onClose });
  const place = {
    opened: true,
    onChange: onClose,
    position: 'bottom-start',
    offset: GAP_PX,
    floatingStrategy: 'fixed',
    middlewares: MIDDLEWARES,
    transitionProps: { duration: 0 },
    portalProps: { target: anchor.closest('dialog') ?? document.body },
    closeOnEscape: false,
    unstyled: true,
  } as const;
  const target = (
    <Popover.Target>
      <Anchor element={anchor} />
    </Popover.Target>
  );
  const common = {
    id,
    'aria-label': label,
    'aria-labelledby': undefined,
    onKeyDownCapture: handleEscape,
    onPointerEnter,
    onPointerLeave,
  };
  if (kind === 'menu') {
    return (
      <Menu
        {...place}
        withInitialFocusPlaceholder={false}
        closeOnItemClick={false}
        alignItemsLabels="none"
        checkIcon={<IconCheck size={15} aria-hidden />}
        classNames={MENU_CLASSES}
      >
        {target}
        <Menu.Dropdown {...common}>
          <MenuPartsContext value={PARTS}>{children}</MenuPartsContext>
        </Menu.Dropdown>
      </Menu>
    );
  }
  return (
    <Popover {...place} withRoles={false} trapFocus={takesFocus}>
      {target}
      <Popover.Dropdown
        {...common}
        role={kind}
        tabIndex={-1}
        className={kind === 'tooltip' ? `${classes.panel} ${classes.card}` : `${classes.panel}`}
      >
        {takesFocus && <FocusTrap.InitialFocus />}
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
