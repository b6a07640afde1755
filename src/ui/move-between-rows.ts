import type { KeyboardEvent } from 'react';

/** Goes to the first row of the page's list; false where there is none. */
export function focusFirstRow(): boolean {
  const row = document.querySelector<HTMLElement>('main :is([data-row-link], [data-row-kind])');
  row?.focus();
  return row !== null;
}

/** Arrows move between the rows' links, as in a list. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
  const at = links.indexOf(event.target);
  const next = at === -1 ? undefined : links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
