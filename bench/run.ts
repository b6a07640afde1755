/**
 * `npm run bench`: measures the numbers to hold and prints them beside the goal and what was before. docs/measuring.md
 * says how to run and to read it. Wants a built app, an otherwise idle machine and a Chromium.
 */
import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import glob from 'fast-glob';
import { comparisonTable, lineList, resultTable } from './core/table.ts';
import { LINES } from './lines.ts';
import { choose } from './parts.ts';
import { readResult, writeResult } from './result-file.ts';
import { runPart, type PartResult } from './run-part.ts';

const OUT = '.tmp/bench/results.json';
const EXIT_FAILED = 1;
const EXIT_WRONG_USE = 2;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    compare: { type: 'string' },
    /** Measures nothing: sets this result beside that of --compare. */
    now: { type: 'string' },
    out: { type: 'string', default: OUT },
  },
});

/** The first source that changed after the build; seeds come from the sources, so both have to fit. */
function changedSinceBuild(): string | undefined {
  const built = 'dist/server/main.js';
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0;
  const sources = glob.sync(['{src,workers,server}/**/*', '!**/*.test.*']);
  return sources.find((file) => statSync(file).mtimeMs > builtAt);
}

async function measure(): Promise<PartResult[]> {
  const changed = changedSinceBuild();
  if (changed !== undefined) console.error(`${changed} changed since the build: \`npm run build\` first`);

  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  const startedAt = new Date();
  const results: PartResult[] = [];
  const only = values.only.flatMap((names) => names.split(','));
  for (const chosen of choose({ isQuick: values.quick, only })) {
    if (interrupted.signal.aborted) break;
    console.log(`\n## ${chosen.part}`);
    const result = await runPart(chosen, { signal: interrupted.signal, isQuick: values.quick });
    results.push(result);
    console.log(resultTable(result.measurements));
    console.log(`${result.seconds} s${result.error === undefined ? '' : `; FAILED: ${result.error}`}`);
    writeResult(values.out, startedAt, results);
  }
  return results;
}

async function main(): Promise<void> {
  if (values.list) return console.log(lineList(LINES));
  const before = values.compare === undefined ? null : readResult(values.compare);
  if (values.now !== undefined) return console.log(comparisonTable(before ?? [], readResult(values.now)));
  const results = await measure();
  const measurements = results.flatMap((result) => result.measurements);
  console.log(`\n# All lines (${values.out})\n\n${resultTable(measurements)}`);
  if (before !== null)
    console.log(`\n# Beside ${values.compare}\n\n${comparisonTable(before, measurements)}`);
  const failed = results.filter(({ error, measurements: found }) => {
    return error !== undefined || found.some((one) => one.error !== undefined);
  });
  if (failed.length === 0) return;
  console.error(`\nfailed: ${failed.map(({ part }) => part).join(', ')}`);
  process.exitCode = EXIT_FAILED;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = EXIT_WRONG_USE;
}
