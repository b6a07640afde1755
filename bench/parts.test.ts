import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judge } from './core/measurement.ts';
import { comparisonTable, resultTable } from './core/table.ts';
import { LINES } from './lines.ts';
import { choose, PARTS } from './parts.ts';
import { readResult, writeResult } from './result-file.ts';
import { runPart } from './run-part.ts';

const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('what runs', () => {
  it('is every line once but those of soaks when nothing is chosen, and eleven lines when it has to be quick', () => {
    const all = choose({ isQuick: false, only: [] });
    const parts = Object.keys(PARTS).filter((part) => PARTS[part]?.isOnlyWhenNamed !== true);
    const lines = Object.entries(LINES).filter(([, { part }]) => parts.includes(part));
    expect(all.flatMap((one) => one.lines).toSorted()).toEqual(lines.map(([key]) => key).toSorted());
    expect(all.map(({ part }) => part)).toEqual(parts);
    expect(choose({ isQuick: false, only: ['soak-hour'] })).toHaveLength(1);
    expect(choose({ isQuick: true, only: [] }).flatMap(({ lines }) => lines)).toHaveLength(11);
  });

  it('is a part, all parts that begin with a name, or a single line', () => {
    const partsOf = (only: string) => choose({ isQuick: false, only: [only] }).map(({ part }) => part);
    expect(partsOf('browser')).toEqual(['browser-1000', 'browser-10000', 'browser-50000', 'browser-limit']);
    expect(choose({ isQuick: false, only: ['warm 1000'] })).toEqual([
      { part: 'browser-1000', lines: ['warm 1000'] },
    ]);
    expect(() => choose({ isQuick: false, only: ['brwser'] })).toThrow(/brwser/);
  });
});

describe('a part that breaks', () => {
  it('keeps what it had found, says so for the rest, and throws at nobody', async () => {
    const entry = join(dir, 'broken-part.mjs');
    const found = { key: 'warm 1000', line: LINES['warm 1000'], samples: [1, 2, 3, 4, 5], cpuMs: 1, load: 0 };
    writeFileSync(
      entry,
      `process.send(${JSON.stringify(found)}, () => { setTimeout(() => { throw new Error('broken'); }, 50); });`,
    );
    const chosen = { part: 'browser-1000', lines: ['warm 1000', 'cold 1000'] as const };
    const result = await runPart(
      { ...chosen, lines: [...chosen.lines] },
      { signal: new AbortController().signal, entry },
    );
    expect(result.error).toBe('the part ended with 1');
    const [warm, cold] = result.measurements;
    expect(warm && judge(warm)).toEqual({ kind: 'held' });
    expect(cold && judge(cold)).toEqual({ kind: 'not judged', reason: 'failed: the part ended with 1' });

    const file = join(dir, 'results.json');
    writeResult(file, new Date(0), [result]);
    expect(readResult(file)).toEqual(result.measurements);
    expect(resultTable(result.measurements)).toContain('not judged: failed: the part ended with 1');
    expect(comparisonTable(readResult(file), result.measurements)).toContain('within the spread');
  });
});
