import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { groupLines } from './group-lines.ts';

const lineSchema = z.strictObject({
  message: z.string(),
  severity: z.string().optional(),
  count: z.number().optional(),
  labels: z.record(z.string(), z.string()).optional(),
});
const names = z.array(z.string()).optional();
const { cases } = z
  .object({
    cases: z.array(
      z.object({
        name: z.string(),
        config: z.strictObject({ groupBy: names, dedupBy: names }),
        input: z.object({ logs: z.array(lineSchema) }),
        expected: z.object({
          logs: z.array(lineSchema).optional(),
          groups: z
            .array(z.object({ labels: lineSchema.shape.labels, logs: z.array(lineSchema) }))
            .optional(),
        }),
      }),
    ),
  })
  .parse(parse(readFileSync('../shared/fixtures/logs/cases/group_logs.yaml', 'utf8')));
type Line = z.output<typeof lineSchema>;

/** No labels and empty labels are the same. */
const plain = (logs: readonly Line[]) => logs.map((line) => ({ ...line, labels: line.labels ?? {} }));

describe('lines are put together as the published cases have it', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, { config, input, expected }) => {
    const { groupBy = [], dedupBy = [] } = config;
    const found = groupLines(input.logs, { groupBy, dedupBy });
    const groups = expected.groups ?? [{ labels: {}, logs: expected.logs ?? [] }];
    expect(found.map(({ labels, logs }) => ({ labels, logs: plain(logs) }))).toEqual(
      groups.map(({ labels = {}, logs }) => ({ labels, logs: plain(logs) })),
    );
  });
});

test('no line and no label is lost by grouping, and lines counted once are as many as before', () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const lines = fc.array(
    fc.record({ message: label, labels: fc.dictionary(fc.constantFrom('app', 'pod', '__proto__'), label) }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(lines, fc.subarray(['app', 'pod']), (given, groupBy) => {
      const whole = groupLines(given, { groupBy, dedupBy: [] }).flatMap(({ labels, logs }) =>
        logs.map((line) => ({
          message: line.message,
          labels: Object.entries({ ...labels, ...line.labels }),
        })),
      );
      const texts = (all: readonly { message: string; labels: [string, string][] }[]) =>
        all
          .map(({ message, labels }) =>
            JSON.stringify([message, labels.toSorted(([a], [b]) => (a < b ? -1 : 1))]),
          )
          .toSorted();
      expect(texts(whole)).toEqual(
        texts(given.map(({ message, labels }) => ({ message, labels: Object.entries(labels) }))),
      );
      const counted = groupLines(given, { groupBy, dedupBy: ['hash'] }).flatMap(({ logs }) => logs);
      const sum = counted.reduce((all, line) => all + ('count' in line ? Number(line.count) : 1), 0);
      expect(sum).toBe(given.length);
    }),
  );
});
