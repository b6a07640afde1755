import { describe, expect, test } from 'vitest';
import type { OutboxItem, OutboxView } from '../contract/outbox.ts';
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
    readKept: (key: string) => kept.get(key) ?? null,
    writeKept: (key: string, text: string | null) => {
      if (text === null) kept.delete(key);
      else kept.set(key, text);
    },
    report: () => {},
  };
  return { kept, open: () => createLostWatch(platform) };
}

describe('an outbox that was lost', () => {
  test('with unsent commands is told with their number and since when, until the user has read it', () => {
    const { open } = device();
    open().note(view([item(1), item(2), item(3, { kind: 'accepted', position: null })]));
    const next = open();
    next.note(view([], { ...PLACE, bornMs: 2000 }));
    expect(next.get()).toEqual({ count: 2, sinceMs: 5001 });
    const third = open();
    third.note(view([], { ...PLACE, bornMs: 2000 }));
    expect(third.get()).toEqual({ count: 2, sinceMs: 5001 });
    third.dismiss();
    const last = open();
    last.note(view([], { ...PLACE, bornMs: 2000 }));
    expect(last.get()).toBeNull();
  });

  test('is not told when everything had been sent, was deleted on purpose, or was another user’s', () => {
    const { kept, open } = device();
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
    expect(watch.get()).toBeNull();
  });
});
