/** What other versions of the app kept in the outbox is shown as it is and never lost (laws 14, 15). */
import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import type { OutboxItem, OutboxState } from '../../../src/contract/outbox/outbox.ts';
import { guid } from '../../../tests/backends/guid.ts';
import { ITEM_VERSION, readStoredItem } from './storage/stored-item.ts';
import { comment, incident, setup } from '../../../tests/backends/outbox-scenario.ts';

describe('what older and newer versions kept', () => {
  /** As version 0 stored it. */
  const old = {
    commandId: guid(70),
    name: 'add_comment',
    version: 1,
    args: { id: guid(4), incidentId: incident, hypothesisId: null, responderId: null, comment: 'hello' },
    basedOn: null,
    expiresAt: null,
    userId: 'me',
    atMs: 5,
    touches: [incident, guid(4)],
    creates: [guid(4)],
    state: { kind: 'kept' },
  };

  test('an item of an older version is brought up to date and arrives', async () => {
    const { outbox, raw, drain, backend } = setup();
    await outbox.items();
    await raw((db) => db.table('items').add(old));
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([old.commandId]);
    const [stored] = await raw((db) => db.table('items').toArray());
    expect(stored).toMatchObject({ itemVersion: ITEM_VERSION, failures: 0 });
  });

  test('each step of a migration is taken, in order', () => {
    const format = {
      version: 3,
      migrations: {
        1: (item: Record<string, unknown>) => ({ ...item, failures: 1 }),
        2: (item: Record<string, unknown>) => ({ ...item, failures: Number(item.failures) * 10 }),
      },
    };
    const read = readStoredItem({ ...old, order: 1, itemVersion: 1 }, format);
    expect(read).toMatchObject({ isReadable: true, isOld: true, item: { failures: 10 } });
    expect(readStoredItem({ ...old, order: 1, itemVersion: 0 }, format).isReadable).toBe(false);
  });

  test('what cannot be read is shown with what is known of it, stays as it is, and holds up nothing', async () => {
    const { outbox, raw, drain, write, backend } = setup();
    await outbox.items();
    const broken = { ...old, state: { kind: 'from the future' }, itemVersion: ITEM_VERSION + 1 };
    await raw((db) => db.table('items').bulkAdd([broken, { nonsense: true }]));
    const id = await write({ ...comment(5) });
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([id]);
    const items: OutboxItem[] = await outbox.items();
    expect(items[0]).toMatchObject({ commandId: old.commandId, name: 'add_comment', args: old.args });
    const kinds = items.map(({ state }: { state: OutboxState }) => state.kind);
    expect(kinds).toEqual(['refused', 'refused', 'accepted']);
    const stored = await raw((db) => db.table('items').toArray());
    expect(stored.slice(0, 2)).toEqual([
      { ...broken, order: 1 },
      { nonsense: true, order: 2 },
    ]);
    await outbox.drop(items[1]?.commandId ?? '');
    expect(await outbox.items()).toHaveLength(2);
  });
});
