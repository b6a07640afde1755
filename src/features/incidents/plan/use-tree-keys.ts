/**
 * The keyboard of the tree (the tree grid pattern): one hypothesis is in the tab order, arrows go from one to the
 * next and fold, Enter goes to what can be edited of it, Escape comes back.
 */
import type { KeyboardEvent } from 'react';
import { useState } from 'react';

export interface TreeRow {
  id: string;
  above: string | null;
  hasBelow: boolean;
  isFolded: boolean;
}

const CONTROLS = 'input, textarea, select, button, a[href]';

export interface TreeKeys {
  /** The one in the tab order. */
  activeId: string | undefined;
  setActive: (id: string) => void;
  handleKey: (event: KeyboardEvent<HTMLElement>, row: TreeRow) => void;
}

function nextId(rows: readonly TreeRow[], row: TreeRow, key: string): string | null | undefined {
  const at = rows.findIndex(({ id }) => id === row.id);
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1]?.id;
    case 'ArrowUp':
      return rows[at - 1]?.id;
    case 'Home':
      return rows[0]?.id;
    case 'End':
      return rows.at(-1)?.id;
    case 'ArrowRight':
      return row.hasBelow ? rows[at + 1]?.id : undefined;
    case 'ArrowLeft':
      return row.above;
    default:
      return undefined;
  }
}

/** Answers what each row of the tree has to be given. */
export function useTreeKeys(
  rows: readonly TreeRow[],
  onFold: (id: string, isFolded: boolean) => void,
): TreeKeys {
  const [active, setActive] = useState<string | null>(null);
  const activeId = rows.find(({ id }) => id === active)?.id ?? rows[0]?.id;
  const focus = (id: string, from: Element) => {
    setActive(id);
    const grid = from.closest('[role=treegrid]');
    grid?.querySelector<HTMLElement>(`[data-hypothesis="${CSS.escape(id)}"]`)?.focus();
  };
  const handleRowKey = (event: KeyboardEvent<HTMLElement>, row: TreeRow) => {
    const { key } = event;
    if (key === 'Enter' || key === 'F2') {
      event.preventDefault();
      event.currentTarget.querySelector<HTMLElement>(CONTROLS)?.focus();
      return;
    }
    const isUnfolding = key === 'ArrowRight' && row.hasBelow && row.isFolded;
    const isFolding = key === 'ArrowLeft' && row.hasBelow && !row.isFolded;
    const id = nextId(rows, row, key);
    if (isUnfolding || isFolding) onFold(row.id, isFolding);
    else if (typeof id === 'string') focus(id, event.currentTarget);
    else return;
    event.preventDefault();
  };
  return {
    activeId,
    setActive,
    handleKey: (event, row) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target === event.currentTarget) handleRowKey(event, row);
      // From a field of it, but not from a dialog or menu that it opened.
      else if (event.key === 'Escape' && !event.defaultPrevented && event.target instanceof Element) {
        if (event.target.closest('dialog, [role="dialog"], [role="menu"]') === null)
          focus(row.id, event.currentTarget);
      }
    },
  };
}
