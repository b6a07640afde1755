import { errorText } from '../../../contract/errors.ts';
import { formatDuration } from '../../../domain/time/format.ts';

const counted = (count: number, one: string, many: string) =>
  count === 0 ? '' : `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** What trying a scraper says. */
export const messages = {
  action: 'Try now',
  busy: 'Reading …',
  hint: 'The server reads it once and shows what it would bring. Nothing is saved.',
  old: 'The form was changed since: this is of what stood in it before. Try it again.',
  results: 'What it would bring',
  took: (durationMs: number) => `Took ${formatDuration(durationMs)}`,
  entry: (field: string, isOk: boolean) => `${field}: ${isOk ? 'read' : 'failed'}`,
  found: (items: number, changes: number, findings: number) =>
    [
      counted(items, 'item', 'items'),
      counted(changes, 'change', 'changes'),
      counted(findings, 'finding', 'findings'),
    ]
      .filter((text) => text !== '')
      .join(', ') || 'nothing found',
  steps: { read: 'Read', transform: 'Transform', items: 'Items' },
  ok: 'worked',
  wrong: 'failed',
  items: (shown: number, all: number) => (shown < all ? `The first ${shown} of ${all} items` : 'Items'),
  cut: 'cut here',
  errorText,
} as const;
