import { describe, expect, test } from 'vitest';
import { admitCommand } from './admit-command.ts';
import type { Admission } from './admit-command.ts';
import type { CommandHandler } from './command-handler.ts';
import { refusalOf } from './command-refused.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const handler: CommandHandler = {
  definition: { name: 'paint', version: 3, area: 'incident', expiresAfterMs: 1000 },
  accept: () => ({ touches: [], apply: () => Promise.resolve() }),
};
const envelope: Admission['envelope'] = {
  seq: 1,
  commandId: '00000000-0000-4000-8000-000000000000',
  name: 'paint',
  version: 3,
  args: {},
  basedOn: null,
  expiresAt: new Date(NOW + 500).toISOString(),
};

function verdict(changes: Partial<Admission['envelope']>, roles = ['editor']): string {
  try {
    admitCommand({ envelope: { ...envelope, ...changes }, handler, roles, nowMs: NOW });
    return 'admitted';
  } catch (error) {
    return refusalOf(error)?.code ?? 'failed';
  }
}

describe('a command is admitted', () => {
  test.each([
    [1, 'client_too_old'],
    [2, 'admitted'],
    [3, 'admitted'],
    [4, 'invalid'],
  ])('in version %i of 3: %s', (version, expected) => {
    expect(verdict({ version })).toBe(expected);
  });

  test('until its time is over by the clock of the server, to the millisecond', () => {
    expect(verdict({ expiresAt: new Date(NOW + 1).toISOString() })).toBe('admitted');
    expect(verdict({ expiresAt: new Date(NOW).toISOString() })).toBe('expired');
  });

  test('for no longer than its kind allows, whatever the device says', () => {
    const far = { ...envelope, expiresAt: new Date(NOW + 86_400_000).toISOString() };
    const admitted = admitCommand({ envelope: far, handler, roles: ['editor'], nowMs: NOW });
    expect(admitted.expiresAt?.getTime()).toBe(NOW + 1000);
  });

  test('from those only whose roles may write its area', () => {
    expect(verdict({}, ['viewer'])).toBe('forbidden');
    expect(verdict({}, [])).toBe('forbidden');
  });
});
