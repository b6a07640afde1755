import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Texts } from './draft-book.ts';
import { createDraftBook } from './draft-book.ts';

const STORE = 'hf-u1';

/** A device: what outlives a page, and a worker that ends with its page, whatever it still had to write. */
function device() {
  const stored = new Map<string, string>();
  const disk = { isFull: false };
  const durable = new Map<string, string>();
  const platform = {
    readStored: (key: string) => stored.get(key) ?? null,
    writeStored: (key: string, text: string | null) =>
      void (text === null ? stored.delete(key) : stored.set(key, text)),
    report: (error: unknown) => {
      throw error;
    },
  };
  const texts = (): Texts => Object.fromEntries(durable);
  const open = () => {
    let toWrite: (() => void)[] = [];
    let isTold = false;
    const book = createDraftBook(platform, (key, text) => {
      if (!isTold) return Promise.resolve({ ok: false });
      return new Promise((resolve) => {
        toWrite.push(() => {
          if (disk.isFull) return resolve({ ok: false });
          if (text === null) durable.delete(key);
          else durable.set(key, text);
          book.receive({ storeName: STORE, texts: texts() });
          resolve({ ok: true });
        });
      });
    });
    book.setStore(STORE);
    return {
      book,
      tell: () => {
        isTold = true;
        book.receive({ storeName: STORE, texts: texts() });
      },
      writeOne: async () => {
        toWrite.shift()?.();
        await new Promise((resolve) => setTimeout(resolve));
      },
      waiting: () => toWrite.length,
      leave: () => {
        book.leave();
        toWrite = [];
      },
    };
  };
  return { stored, disk, durable, texts, open };
}

type Step =
  | { kind: 'write'; key: string; text: string | null }
  | { kind: 'tell' | 'writeOne' | 'reload' | 'fill' | 'free' };

const key = fc.constantFrom('comment:1', 'incident');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('write' as const), key, text: fc.option(fc.string()) }),
  },
  fc.record({
    kind: fc.constantFrom(
      'tell' as const,
      'writeOne' as const,
      'reload' as const,
      'fill' as const,
      'free' as const,
    ),
  }),
);

describe('texts that were begun', () => {
  test('the last one of each is there after every reload, however far the worker got and however full the disk was, and becomes durable', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { open, texts, stored, disk } = device();
        let page = open();
        const written = new Map<string, string>();
        const expected = () => Object.fromEntries(written);
        for (const one of steps) {
          if (one.kind === 'write') {
            page.book.write(one.key, one.text);
            if (one.text === null) written.delete(one.key);
            else written.set(one.key, one.text);
          } else if (one.kind === 'tell') page.tell();
          else if (one.kind === 'writeOne') await page.writeOne();
          else if (one.kind === 'fill') disk.isFull = true;
          else if (one.kind === 'free') disk.isFull = false;
          else {
            page.leave();
            page = open();
            page.tell();
            expect(page.book.value.get()).toEqual(expected());
          }
        }
        disk.isFull = false;
        page.tell();
        page.book.write('another', null);
        while (page.waiting() > 0) await page.writeOne();
        expect(texts()).toEqual(expected());
        // What is durable is noted nowhere else.
        expect(stored.size).toBe(0);
      }),
    );
  });

  test('stay on top while the disk is full, and are there after the page, however that ends', async () => {
    const { open, texts, disk } = device();
    disk.isFull = true;
    const page = open();
    page.tell();
    page.book.write('comment:1', 'given back');
    await page.writeOne();
    expect(page.book.value.get()).toEqual({ 'comment:1': 'given back' });
    // It is not tried on and on with what the worker says meanwhile.
    page.tell();
    expect(page.waiting()).toBe(0);
    const next = open();
    disk.isFull = false;
    next.tell();
    await next.writeOne();
    expect(texts()).toEqual({ 'comment:1': 'given back' });
  });

  test('are another user’s no more, and go with a store that is deleted on purpose', () => {
    const { open, stored } = device();
    const first = open();
    first.tell();
    first.book.write('incident', 'half');
    first.leave();
    const next = open();
    next.book.setStore('hf-u2');
    next.book.receive({ storeName: 'hf-u2', texts: {} });
    expect(next.book.value.get()).toEqual({});
    next.book.forget(STORE);
    expect(stored.size).toBe(0);
  });
});
