import { expect, test } from 'vitest';
import { writeText } from './write-text.ts';

/** A storage with room for so many letters. */
function createStorage(room: number) {
  const kept = new Map<string, string>();
  const reported: unknown[] = [];
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => void kept.delete(key),
    setItem(key: string, text: string) {
      const others = [...kept].filter(([other]) => other !== key);
      const letters = others.reduce((sum, [, one]) => sum + one.length, text.length);
      if (letters > room) throw new Error('no room');
      kept.set(key, text);
    },
  };
  const write = (key: string, text: string | null) =>
    writeText({ storage, keys: () => [...kept.keys()], report: (error) => reported.push(error) }, key, text);
  return { kept, reported, write };
}

test('first windows make room for whatever else is written', () => {
  const { kept, reported, write } = createStorage(10);
  write('holdfast.window:a', 'xxxx');
  write('holdfast.windows', 'xx');
  write('holdfast.session', 'yyyyyyyy');
  expect(Object.fromEntries(kept)).toEqual({ 'holdfast.session': 'yyyyyyyy' });
  expect(reported).toEqual([]);
});

test('without any room it is reported, never thrown, and what stood there stays; windows hear of it', () => {
  const { kept, reported, write } = createStorage(5);
  write('holdfast.note', 'abc');
  write('holdfast.note', 'abcdef');
  expect(kept.get('holdfast.note')).toBe('abc');
  expect(reported).toHaveLength(1);
  expect(() => write('holdfast.window:a', 'xxxx')).toThrow('no room');
  write('holdfast.note', null);
  expect(kept.size).toBe(0);
});
