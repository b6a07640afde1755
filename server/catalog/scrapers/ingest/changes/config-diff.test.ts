import { readFileSync } from 'node:fs';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../../../src/lib/is-record.ts';
import { diffConfigs, normalisedText } from './config-diff.ts';

const FIXTURES = new URL('../../../../../../shared/fixtures/scrapers/', import.meta.url);
const fixture = (path: string) => readFileSync(new URL(path, FIXTURES), 'utf8');

/** A merge patch as RFC 7396 §2 applies it. */
function patched(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const names = new Map(Object.entries(isRecord(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) names.delete(key);
    else names.set(key, patched(names.get(key), value));
  }
  return Object.fromEntries(names);
}

/** Some are names of what every object has by itself. */
const name = fc.oneof(
  fc.stringMatching(/^[a-e]{1,2}$/),
  fc.constantFrom('toString', 'valueOf', 'hasOwnProperty', 'constructor', '__proto__'),
);
/** RFC 7396 has no way to set a value to null. */
const plainValue = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
})).object;

describe('the difference of two documents', () => {
  it('reads like the one that others make, but keeps the digits behind the point', () => {
    const found = diffConfigs(
      JSON.parse(fixture('diff/simple-old.json')),
      JSON.parse(fixture('diff/simple-new.json')),
    );
    expect(found?.diff.trimEnd()).toBe(
      fixture('diff/simple.diff').replace('"float": 1,', '"float": 1.1,').trimEnd(),
    );
    expect(found?.summary).toBe('bigint, number, stack');
  });

  it('applied to the old document makes the new one, as text and as a merge patch', () => {
    fc.assert(
      fc.property(plainValue, plainValue, (before, after) => {
        const found = diffConfigs(before, after);
        if (found === null) {
          expect(before).toEqual(after);
          return;
        }
        expect(applyPatch(normalisedText(before), found.diff)).toBe(normalisedText(after));
        expect(patched(before, found.patches)).toEqual(after);
      }),
      { numRuns: 300 },
    );
  });

  it('holds for documents too different for the shortest answer', () => {
    const lines = (mark: string) => Array.from({ length: 5000 }, (_, place) => `${mark}${place}`);
    const before = { same: 1, lines: lines('a') };
    const after = { same: 1, lines: lines('b') };
    const found = diffConfigs(before, after);
    expect(applyPatch(normalisedText(before), found?.diff ?? '')).toBe(normalisedText(after));
  });

  it('of text that is no JSON is shown line by line', () => {
    const found = diffConfigs(
      { format: 'xml', content: '<a>\n  <b/>\n</a>\n' },
      { format: 'xml', content: '<a>\n  <c/>\n</a>\n' },
    );
    expect(found?.diff).toContain('-  <b/>\n+  <c/>');
    const big = (mark: string) => ({ format: 'text', content: `${mark}\n`.repeat(3000) });
    expect(applyPatch(big('a').content, diffConfigs(big('a'), big('b'))?.diff ?? '')).toBe(big('b').content);
  });

  it('is nothing when only the cluster’s own bookkeeping moved, and something when the same field is data', () => {
    const pod = (version: string, image: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'a',
        resourceVersion: version,
        generation: Number(version),
        managedFields: [version],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': version },
      },
      spec: { image },
    });
    expect(diffConfigs(pod('1', 'x'), pod('2', 'x'))).toBeNull();
    expect(diffConfigs(pod('1', 'x'), pod('2', 'y'))?.summary).toBe('spec.image');
    expect(diffConfigs({ resourceVersion: 1 }, { resourceVersion: 2 })?.summary).toBe('resourceVersion');
  });
});
