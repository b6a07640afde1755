import type { KeyboardEvent } from 'react';

const ROWS = ':is([data-row-link], [data-row-kind]):is(a, button, [tabindex])';
/** Where rows lead nowhere, the first thing in the list that can be used. */
const IN_LISTS = ':is(tbody, ul, ol, [role="list"]) :is(a, button:not(:disabled), input)';

/** Goes to the first row of the page's list; false where there is none that takes the focus. */
export function focusFirstRow(): boolean {
  for (const selector of [ROWS, IN_LISTS]) {
    for (const row of document.querySelectorAll<HTMLElement>(`main ${selector}`)) {
      row.focus();
      // What is hidden, or behind a dialog, doesn't take it.
      if (document.activeElement === row) return true;
    }
  }
  return false;
}

/** Arrows move between the rows' links, as in a list. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROWS)];
  const at = rows.indexOf(event.target);
  const next = at === -1 ? undefined : rows[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
