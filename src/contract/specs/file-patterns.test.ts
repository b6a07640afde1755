/** Documents with a pattern that would hold up the server are refused where they are written, at its field. */
import { expect, test } from 'vitest';
import { LOG_BACKENDS } from './log-backend-spec.ts';
import { PLAYBOOK_ACTIONS } from './playbook-spec.ts';
import { SCRAPER_KINDS } from './scraper-spec.ts';

const SLOW = String.raw`*\\\\`;
const places: [string, (pattern: string) => { success: boolean; error?: unknown }][] = [
  ['log backend', (pattern) => LOG_BACKENDS.file.safeParse({ paths: [pattern] })],
  ['file scraper, paths', (pattern) => SCRAPER_KINDS.file.safeParse({ type: 'a', paths: [pattern] })],
  ['file scraper, path', (pattern) => SCRAPER_KINDS.file.safeParse({ type: 'a', path: pattern })],
  [
    'file scraper, ignore',
    (pattern) => SCRAPER_KINDS.file.safeParse({ type: 'a', paths: ['a'], ignore: [pattern] }),
  ],
  ['script', (pattern) => PLAYBOOK_ACTIONS.exec.safeParse({ script: 'a', artifacts: [{ path: pattern }] })],
];

test.each(places)('%s: a pattern that does not end is refused, others are not', (_place, parse) => {
  expect(JSON.stringify(parse(SLOW).error)).toContain('two backslashes in a row');
  for (const pattern of ['*.log', 'logs/$(labels.app)/**/*.{log,txt}', '/dev/stdout'])
    expect(parse(pattern).error).toBeUndefined();
});
