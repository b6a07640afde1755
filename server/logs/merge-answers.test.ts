import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BackendLine } from './backends/log-backend.ts';
import type { LogCursor } from './log-cursor.ts';
import { readCursor, writeCursor } from './log-cursor.ts';
import { mergeAnswers } from './merge-answers.ts';

const START = 1000;

/** A backend that answers the newest `limit` lines up to `endMs`, as all of them do. */
function askOf(id: string, times: readonly number[]) {
  const all = times
    .map((atMs, at): BackendLine => ({ atMs, message: `${id} ${at}`, labels: {} }))
    .toSorted((a, b) => b.atMs - a.atMs);
  return (endMs: number, limit: number) => {
    const lines = all.filter(({ atMs }) => atMs <= endMs);
    return { id, answer: { lines: lines.slice(0, limit), isCut: lines.length > limit } };
  };
}

test('pages of several backends have every line once, newest first, whatever the sizes', () => {
  const times = fc.array(fc.integer({ min: START, max: START + 12 }), { maxLength: 25 });
  fc.assert(
    fc.property(
      fc.array(times, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      (lists, limit) => {
        const backends = lists.map((list, at) => askOf(`b${at}`, list));
        const seen: BackendLine[] = [];
        let cursor: LogCursor | null = null;
        for (let page = 0; page < 200; page += 1) {
          const endMs: number = cursor?.endMs ?? START + 20;
          const given: Record<string, number> = cursor?.given ?? {};
          const answers = backends.map((ask, at) => ask(endMs, limit + (given[`b${at}`] ?? 0)));
          const found = mergeAnswers(answers, { cursor, limit, startMs: START });
          expect(found.fullMs).toBeNull();
          seen.push(...found.lines);
          cursor = found.next === null ? null : readCursor(writeCursor(found.next));
          if (cursor === null) break;
        }
        expect(seen.map(({ message }) => message).toSorted()).toEqual(
          lists.flatMap((list, at) => list.map((_time, index) => `b${at} ${index}`)).toSorted(),
        );
        expect(seen.map(({ atMs }) => atMs)).toEqual(seen.map(({ atMs }) => atMs).toSorted((a, b) => b - a));
      },
    ),
  );
});

test('a moment with more lines than a backend ever answers is left, and said', () => {
  const lines = Array.from({ length: 3 }, (): BackendLine => ({ atMs: START + 5, message: 'x', labels: {} }));
  const answers = [{ id: 'a', answer: { lines, isCut: true } }];
  const cursor = { endMs: START + 5, given: { a: 3 } };
  const found = mergeAnswers(answers, { cursor, limit: 10, startMs: START });
  expect(found).toMatchObject({ lines: [], fullMs: START + 5, next: { endMs: START + 4, given: {} } });
});
