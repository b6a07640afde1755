/** How a command leaves the outbox: seen, taken out, or done again as a new one (laws 4 to 9). */
import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import { guid } from '../../../tests/backends/guid.ts';
import { comment, create, incident, refuse, rename, setup } from '../../../tests/backends/outbox-scenario.ts';

describe('seen', () => {
  test('a command leaves when the feed has passed it, not when the server said yes', async () => {
    const { write, drain, outbox, backend, states } = setup();
    await write(create);
    const before = backend.head();
    await drain();
    await outbox.seen(before);
    expect((await states()).map(({ kind }) => kind)).toEqual(['accepted']);
    await outbox.seen(backend.head());
    expect(await states()).toEqual([]);
  });

  test('what the feed brought before the answer came leaves with the answer', async () => {
    const { write, drain, outbox, backend, states } = setup();
    await write(create);
    const answer = backend.fetch;
    backend.fetch = async (url, init) => {
      const response = await answer(url, init);
      // The stream is quicker, and has nothing more to tell afterwards.
      await outbox.seen(backend.head());
      return response;
    };
    await drain();
    expect(await states()).toEqual([]);
  });

  test('what was done in a database that was replaced is offered again, and done there once', async () => {
    const { write, drain, outbox, backend, states } = setup();
    const id = await write(create);
    await drain();
    backend.forget();
    backend.epoch = 'e2';
    await outbox.seen(backend.head());
    expect(await states()).toEqual([{ kind: 'kept', mayHaveArrived: true }]);
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([id, id]);
    await outbox.seen(backend.head());
    expect(await states()).toEqual([]);
  });
});

describe('taking out', () => {
  test('what was kept or refused goes; what may have arrived stays', async () => {
    const { write, outbox, drain, backend, states } = setup();
    const kept = await write(comment(4));
    await outbox.drop(kept);
    backend.judge = () => refuse('forbidden');
    const refused = await write(comment(5));
    await drain();
    await outbox.drop(refused);
    expect(await states()).toEqual([]);
    const sent = await write(comment(6));
    const epoch = await outbox.claim();
    const [item] = await outbox.items();
    await outbox.number([item?.order ?? 0], epoch);
    await expect(outbox.drop(sent)).rejects.toMatchObject({ code: 'conflict' });
    await outbox.newDevice(epoch);
    await expect(outbox.drop(sent)).rejects.toMatchObject({ code: 'conflict' });
    expect(await states()).toEqual([{ kind: 'kept', mayHaveArrived: true }]);
    await expect(outbox.drop('nothing')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('doing it again', () => {
  test('a refused edit becomes a new command on the values that the server has now', async () => {
    const { write, redo, drain, backend, outbox, device, states } = setup();
    device.rows.set(incident, { id: incident, title: 'Down' });
    const first = await write(rename('Up'));
    backend.judge = () => refuse('precondition_failed', { title: 'Theirs' });
    await drain();
    expect((await states())[0]).toMatchObject({ kind: 'refused', current: { title: 'Theirs' } });
    backend.judge = () => null;
    const again = await redo(first);
    expect(again).not.toBe(first);
    const [item] = await outbox.items();
    expect(item).toMatchObject({ commandId: again, basedOn: { title: 'Theirs' }, state: { kind: 'kept' } });
    await drain();
    expect(backend.effects.map(({ commandId }) => commandId)).toEqual([again]);
  });

  test('a refused status is set again from the one that the server has', async () => {
    const { write, redo, drain, backend, outbox } = setup();
    const args = { id: incident, from: 'open', to: 'resolved' } as const;
    const first = await write({ name: 'set_incident_status', args });
    backend.judge = () => refuse('precondition_failed', { status: 'mitigated' });
    await drain();
    await redo(first);
    expect((await outbox.items())[0]?.args).toEqual({ ...args, from: 'mitigated' });
  });

  test('what an incident was to contain goes again together with it, in order', async () => {
    const { write, redo, drain, backend, outbox } = setup();
    const first = await write(create);
    const edit = await write(rename('Up'));
    const later = await write(comment(4));
    backend.judge = ({ commandId }) => (commandId === first ? refuse('forbidden') : refuse('gone'));
    await drain();
    await expect(redo(later)).rejects.toMatchObject({ code: 'conflict' });
    backend.judge = () => null;
    await redo(first);
    expect((await outbox.items()).map(({ name, basedOn }) => [name, basedOn])).toEqual([
      ['create_incident', null],
      ['edit_incident', { title: 'Down' }],
      ['add_comment', null],
    ]);
    await drain();
    expect(backend.effects.map(({ name }) => name)).toEqual([
      'create_incident',
      'edit_incident',
      'add_comment',
    ]);
    expect(backend.effects.some(({ commandId }) => commandId === edit)).toBe(false);
  });

  test('two tabs that redo the same make one command', async () => {
    const { write, drain, backend, device, outbox } = setup();
    const id = await write(comment(4));
    backend.judge = () => refuse('forbidden');
    await drain();
    const both = await Promise.allSettled([
      outbox.redo(id, device.context()),
      device.open().outbox.redo(id, device.context()),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await outbox.items()).toHaveLength(1);
  });

  test('a run that expired gets a fresh time', async () => {
    const { write, redo, drain, clock, outbox, backend } = setup();
    const id = await write({ name: 'run_check', args: { checkId: guid(9) } });
    clock.later(180_000, () => {});
    await clock.runUntil(() => false);
    await drain();
    await redo(id);
    const [item] = await outbox.items();
    expect(Date.parse(item?.expiresAt ?? '')).toBe(clock.now() + 120_000);
    await drain();
    expect(backend.effects).toHaveLength(1);
  });

  test('what is on its way is not done again', async () => {
    const { write, redo } = setup();
    await expect(redo(await write(create))).rejects.toMatchObject({ code: 'conflict' });
  });
});
