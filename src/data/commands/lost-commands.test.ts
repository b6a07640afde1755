import { describe, expect, test } from 'vitest';
import type { OutboxItem, OutboxView } from '../../contract/outbox/outbox.ts';
import { createLostWatch } from './lost-commands.ts';

const PLACE = { storeName: 'hf-u1', bornMs: 1000 };

function item(order: number, state: OutboxItem['state'] = { kind: 'kept' }): OutboxItem {
  return {
    order,
    commandId: `c${order}`,
    name: 'add_comment',
    version: 1,
    args: {},
    basedOn: null,
    expiresAt: null,
    userId: 'u1',
    atMs: 5000 + order,
    touches: [],
    creates: [],
    failures: 0,
    state,
  };
}

const view = (items: OutboxItem[], place = PLACE): OutboxView => ({ items, pause: null, place });

function device() {
  const kept = new Map<string, string>();
  const platform = {
    readStored: (key: string) => kept.get(key) ?? null,
    writeStored: (key: string, text: string | null) => {
      if (text === null) kept.delete(key);
      else kept.set(key, text);
    },
    report: () => {},
  };
  /** What the server has done; null while it can't be asked. */
  const server: { done: string[] | null } = { done: [] };
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return { kept, server, settled, open: () => createLostWatch(platform, async () => server.done) };
}

describe('an outbox that was lost', () => {
  test('with unsent commands is told with their number and since when, until the user has read it', async () => {
    const { open, settled } = device();
    open().note(view([item(1), item(2), item(3, { kind: 'accepted', position: null })]));
    const next = open();
    next.note(view([], { ...PLACE, bornMs: 2000 }));
    await settled();
    expect(next.get()).toEqual({ count: 2, sinceMs: 5001 });
    const third = open();
    third.note(view([], { ...PLACE, bornMs: 2000 }));
    expect(third.get()).toEqual({ count: 2, sinceMs: 5001 });
    third.dismiss();
    const last = open();
    last.note(view([], { ...PLACE, bornMs: 2000 }));
    expect(last.get()).toBeNull();
  });

  test('of thousands is noted at once when one is added, and now and then while they leave', async () => {
    const { open, kept } = device();
    const watch = open();
    const all = Array.from({ length: 5000 }, (_, at) => item(at));
    const noted = () =>
      Object.keys(JSON.parse(kept.get('holdfast.waiting.hf-u1') ?? '{}').waiting ?? {}).length;
    watch.note(view(all.slice(1)));
    watch.note(view(all));
    expect(noted()).toBe(5000);
    watch.note(view(all.slice(50)));
    expect(noted()).toBe(5000);
    watch.note(view(all.slice(600)));
    expect(noted()).toBe(4400);
    watch.note(view(all.slice(4900)));
    watch.note(view(all.slice(4901)));
    expect(noted()).toBe(99);
  });

  test('is not told when everything had been sent, was deleted on purpose, or was another user’s', async () => {
    const { kept, settled, open } = device();
    const watch = open();
    watch.note(view([item(1)]));
    watch.note(view([]));
    expect(kept.size).toBe(0);
    watch.note(view([], { ...PLACE, bornMs: 2000 }));
    watch.note(view([item(2)], { ...PLACE, bornMs: 2000 }));
    watch.note(view([], { storeName: 'hf-u2', bornMs: 3000 }));
    expect(watch.get()).toBeNull();
    watch.forget(PLACE.storeName);
    watch.note(view([], { ...PLACE, bornMs: 4000 }));
    await settled();
    expect(watch.get()).toBeNull();
  });

  test('is not told of what the server has done, as after the last tab, and of nothing before it was asked', async () => {
    const { open, server, settled } = device();
    open().note(view([item(1), item(2)]));
    server.done = null;
    const next = open();
    next.note(view([], { ...PLACE, bornMs: 2000 }));
    await settled();
    expect(next.get()).toBeNull();
    const later = open();
    later.note(view([], { ...PLACE, bornMs: 2000 }));
    server.done = ['c1'];
    await settled();
    later.ask();
    await settled();
    expect(later.get()).toEqual({ count: 1, sinceMs: 5002 });
  });
});
