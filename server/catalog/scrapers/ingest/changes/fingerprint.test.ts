import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import type { FingerprintParts } from './fingerprint.ts';

const FIXTURES = new URL('../../../../../../shared/fixtures/scrapers/changes/', import.meta.url);
// The fixtures' own shape, enough of it.
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8')) as Record<string, unknown>;
const pairs = read('_pairs.json')['same'] as [string, string][];

function partsOf(row: Record<string, unknown>): FingerprintParts {
  return {
    changeType: typeof row['change_type'] === 'string' ? row['change_type'] : '',
    source: null,
    summary: null,
    details: row['details'] ?? null,
    patches: row['patches'] ?? null,
    diff: null,
  };
}

describe('the fingerprint of a change', () => {
  it.each(pairs)('is the same for %s and %s', (one, other) => {
    expect(fingerprintOf(partsOf(read(one)))).toBe(fingerprintOf(partsOf(read(other))));
  });

  it('differs between the pairs', () => {
    const all = pairs.map(([one]) => fingerprintOf(partsOf(read(one))));
    expect(new Set(all).size).toBe(pairs.length);
  });

  it('differs when words do, and not by the order of keys', () => {
    const of = (details: unknown) => fingerprintOf({ ...partsOf({}), details });
    expect(of({ a: 'Pulled image', b: 1 })).toBe(of({ b: 2, a: 'Pulled image' }));
    expect(of({ a: 'Pulled image' })).not.toBe(of({ a: 'Killed image' }));
  });
});
