import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../contract/commands/all-commands.ts';
import type { BulkKind } from '../../domain/bulk/bulk-verbs.ts';
import { canaryCount, partsFor, type Asked } from './bulk-parts.ts';

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
let made = 100;
const asking = { newId: () => uuid((made += 1)), nowMs: Date.parse('2026-11-26T08:00:00Z') };
const thing = (number: number, facts: object = {}) => ({ id: uuid(number), name: `n${number}`, ...facts });
const parts = (kind: BulkKind, chosen: ReturnType<typeof thing>[], asked: Asked) => {
  const found = partsFor({ kind, chosen }, asked, asking).map(({ name, request }) => ({
    name,
    request: request(),
  }));
  // What is written down has to be what the commands take.
  for (const { request } of found) parseCommand(request);
  return found;
};

describe('what is chosen, as commands', () => {
  test('checks of one document are one change of it, and run each by itself', () => {
    const chosen = [
      thing(1, { canaryId: uuid(9) }),
      thing(2, { canaryId: uuid(9) }),
      thing(3, { canaryId: uuid(8) }),
    ];
    expect(canaryCount(chosen)).toBe(2);
    expect(parts('checks', chosen, { do: 'pause' }).map(({ name }) => name)).toEqual(['n1, n2', 'n3']);
    expect(parts('checks', chosen, { do: 'run' })).toHaveLength(3);
  });

  test('incidents change to a status as far as theirs allows it, without those that were left out', () => {
    const chosen = [
      thing(1, { status: 'open' }),
      thing(2, { status: 'closed' }),
      thing(3, { status: 'mitigated' }),
      thing(4, { status: 'resolved' }),
      thing(5, { status: 'open' }),
    ];
    const asked = { do: 'status', to: 'resolved', leavesOut: [uuid(5)] } as const;
    expect(parts('incidents', chosen, asked).map(({ request }) => request.args)).toEqual([
      { id: uuid(1), from: 'open', to: 'resolved' },
      { id: uuid(3), from: 'mitigated', to: 'resolved' },
    ]);
  });

  test('incidents get a commander, or nobody', () => {
    const [given] = parts('incidents', [thing(1)], { do: 'assign', as: 'commander_id', personId: uuid(7) });
    expect(given?.request.args).toEqual({ id: uuid(1), changes: { commander_id: uuid(7) } });
    const [taken] = parts('incidents', [thing(1)], { do: 'assign', as: 'communicator_id', personId: null });
    expect(taken?.request.args).toEqual({ id: uuid(1), changes: { communicator_id: null } });
  });

  test.each([
    ['checks', 'check'],
    ['incidents', 'incident'],
    ['configs', 'config'],
  ] as const)('%s are acknowledged one by one, each under an id of its own', (kind, about) => {
    const found = parts(kind, [thing(1), thing(2)], { do: 'acknowledge', hours: 4 });
    expect(found.map(({ request }) => request.args)).toMatchObject([
      { kind: about, resourceId: uuid(1), until: '2026-11-26T12:00:00.000Z' },
      { kind: about, resourceId: uuid(2), until: '2026-11-26T12:00:00.000Z' },
    ]);
    expect(new Set(found.map(({ request }) => JSON.stringify(request.args))).size).toBe(2);
  });

  test('integrations change each in its table; one that cannot run is not run', () => {
    const chosen = [thing(1, { table: 'config_scrapers' }), thing(2, { table: 'logging_backends' })];
    expect(parts('integrations', chosen, { do: 'delete' }).map(({ request }) => request.args)).toMatchObject([
      { table: 'config_scrapers' },
      { table: 'logging_backends' },
    ]);
    expect(parts('integrations', chosen, { do: 'run' })).toHaveLength(1);
  });

  test('integrations of several kinds that are called alike are told apart by their kind', () => {
    const name = 'shop';
    const chosen = [
      thing(1, { table: 'config_scrapers', name }),
      thing(2, { table: 'topologies', name }),
      thing(3, { table: 'topologies' }),
    ];
    const namesOf = (some: typeof chosen) =>
      parts('integrations', some, { do: 'delete' }).map((part) => part.name);
    expect(namesOf(chosen)).toEqual(['shop (scraper)', 'shop (topology)', 'n3']);
    // Two of one kind are not told apart by it.
    expect(
      namesOf([thing(1, { table: 'topologies', name }), thing(2, { table: 'topologies', name })]),
    ).toEqual([name, name]);
  });

  test('silences end, and notifications are sent again', () => {
    expect(parts('notification_silences', [thing(1)], { do: 'end' })).toHaveLength(1);
    expect(parts('notification_history', [thing(1)], { do: 'resend' })).toHaveLength(1);
  });
});
