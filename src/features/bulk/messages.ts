import { errorText } from '../../contract/errors.ts';
import type { BulkVerb } from '../../domain/bulk/things.ts';

const number = (count: number) => count.toLocaleString('en-US');

/** Everything that the bar of a list says. */
export const messages = {
  region: 'What is chosen',
  chosen: (count: number) => `${number(count)} chosen`,
  all: (count: number) => `Choose all ${number(count)}`,
  clear: 'Choose none',
  verbs: {
    run: 'Run now',
    pause: 'Pause',
    resume: 'Resume',
    label: 'Label …',
    move: 'Move …',
    delete: 'Delete',
  } satisfies Record<BulkVerb, string>,
  done: {
    run: 'Run now',
    pause: 'Pause',
    resume: 'Resume',
    label: 'Label',
    move: 'Move',
    delete: 'Delete',
  } satisfies Record<BulkVerb, string>,
  deletion: (what: string) => ({
    title: `Delete ${what}?`,
    text: 'They stop at once. For ten seconds you can undo it.',
    confirm: 'Delete',
  }),
  count: (count: number, [one, many]: readonly [string, string]) =>
    `${number(count)} ${count === 1 ? one : many}`,
  ofCanaries: (checks: number, canaries: number) =>
    `${number(checks)} ${checks === 1 ? 'check' : 'checks'} of ${number(canaries)} ${canaries === 1 ? 'document' : 'documents'}: all checks of these change`,
  label: {
    title: 'Labels',
    name: 'Name',
    value: 'Value',
    remove: 'Take this label away instead',
    apply: 'Apply',
  },
  move: { title: 'Move to a namespace', namespace: 'Namespace', apply: 'Move' },
  report: {
    region: 'What came of it',
    saving: 'Saving …',
    held: (seconds: number) => `Sent in ${seconds} s`,
    undo: 'Undo',
    undone: 'Undone: nothing was sent',
    waiting: 'waiting',
    done: 'done',
    refused: 'refused',
    figures: (figures: { done: number; waiting: number; refused: number }) =>
      [
        figures.done > 0 ? `${number(figures.done)} done` : '',
        figures.waiting > 0 ? `${number(figures.waiting)} waiting` : '',
        figures.refused > 0 ? `${number(figures.refused)} refused` : '',
      ]
        .filter((text) => text !== '')
        .join(', '),
    each: 'One by one',
    more: (count: number) => `and ${number(count)} more`,
    close: 'Close',
    failed: 'Not saved',
  },
  errorText,
} as const;
