import { describe, expect, test } from 'vitest';
import type { CatchUpCard } from '../../../src/contract/worker.ts';
import type { CatchUpState } from '../../../src/domain/sync/catch-up.ts';
import { CatchUpRecorder } from './catch-up-recorder.ts';

const MINUTE_MS = 60_000;
const red = (...names: string[]): CatchUpState => ({
  checks: new Map(names.map((name) => [name, { name, status: 'unhealthy' }])),
  incidents: new Map(),
  comments: new Map(),
});

function start() {
  const facts = new Map<string, unknown>();
  const device = { nowMs: 100 * MINUTE_MS, state: red() };
  const open = () => {
    const seen: (CatchUpCard | null)[] = [];
    const recorder = new CatchUpRecorder({
      meta: {
        get: async (key) => facts.get(key),
        set: async (key, value) => void facts.set(key, structuredClone(value)),
        delete: async (key) => void facts.delete(key),
      },
      userId: 'me',
      now: () => device.nowMs,
      load: async () => device.state,
    });
    recorder.subscribe((card) => seen.push(card));
    return { recorder, seen };
  };
  return { device, open };
}

describe('the catch-up card', () => {
  test('tells after an absence what changed, and stays through a reload until it is put away', async () => {
    const { device, open } = start();
    const first = open();
    await first.recorder.leave(device.nowMs - 134 * MINUTE_MS);
    device.state = red('a');
    await first.recorder.comeBack();
    expect(first.seen.at(-1)).toMatchObject({
      toMs: device.nowMs,
      newlyUnhealthy: [{ id: 'a', name: 'a' }],
    });
    const second = open();
    await second.recorder.restore();
    expect(second.seen.at(-1)?.newlyUnhealthy).toHaveLength(1);
    await second.recorder.dismiss();
    expect(second.seen.at(-1)).toBeNull();
    const third = open();
    await third.recorder.restore();
    expect(third.seen).toEqual([null]);
  });

  test('says nothing after a short silence or when nothing changed', async () => {
    const { device, open } = start();
    const { recorder, seen } = open();
    await recorder.leave(device.nowMs - MINUTE_MS);
    device.state = red('a');
    await recorder.comeBack();
    await recorder.leave(device.nowMs - 10 * MINUTE_MS);
    await recorder.comeBack();
    expect(seen).toEqual([null]);
  });
});
