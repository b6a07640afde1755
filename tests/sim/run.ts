/**
 * `npm run test:sim -- [--runs N] [--seed S] [--break LAW|list|all]`: runs simulated worlds until one breaks a
 * promise. A seed that does prints what was promised and how to see it again. With `--break` a safeguard is
 * switched off, and not noticing that is the failure.
 */
import { parseArgs } from 'node:util';
import { BREAKAGES } from './breakages.ts';
import type { Breakage } from './breakage.ts';
import { ensureKeyRange } from './key-range.ts';
import { Simulator, type RunReport } from './simulation.ts';

const DIARY_LINES = 60;
/** A safeguard whose absence isn't noticed within so many runs isn't tested. */
const BREAK_RUNS = 40;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printFailure({ seed, violations, diary }: RunReport, isVerbose: boolean): void {
  print(`\nseed ${seed}: ${violations.length} broken promises`);
  for (const { law, what } of violations.slice(0, isVerbose ? 20 : 3))
    print(`  ${law}: ${what.slice(0, 800)}`);
  if (isVerbose) for (const line of diary.slice(-DIARY_LINES)) print(`    ${line.slice(0, 240)}`);
  print(`  again: npm run test:sim -- --seed ${seed} --runs 1 --diary`);
}

async function runClean(simulator: Simulator, first: number, options: { runs: number; isVerbose: boolean }) {
  const failed: number[] = [];
  let commands = 0;
  let slowestMs = 0;
  const startedMs = Date.now();
  for (let seed = first; seed < first + options.runs; seed += 1) {
    const report = await simulator.run(seed);
    commands += report.commands;
    slowestMs = Math.max(slowestMs, report.drainMs);
    if (report.violations.length > 0) {
      failed.push(seed);
      printFailure(report, options.isVerbose);
    }
    if ((seed - first + 1) % 10 === 0) print(`${seed - first + 1} runs, ${failed.length} failed`);
  }
  const seconds = (Date.now() - startedMs) / 1000;
  print(
    `${options.runs} runs from seed ${first}, ${commands} commands, ${failed.length} failed` +
      `${failed.length > 0 ? ` (${failed.join(', ')})` : ''}; slowest rest ${slowestMs / 1000} s of its time; took ${seconds.toFixed(0)} s`,
  );
  return failed.length === 0;
}

/** Runs until the missing safeguard is noticed. */
async function runBroken(simulator: Simulator, breakage: Breakage, first: number): Promise<boolean> {
  for (let at = 0; at < BREAK_RUNS; at += 1) {
    const { seed, violations } = await simulator.run(first + at, breakage);
    const violation = violations.find(({ law }) => breakage.shows.includes(law));
    if (violation === undefined) continue;
    print(
      `${breakage.law.padEnd(18)} noticed at run ${String(at + 1).padStart(2)} (seed ${seed}): ${violation.law}: ${violation.what.slice(0, 140)}`,
    );
    return true;
  }
  print(`${breakage.law.padEnd(18)} NOT NOTICED in ${BREAK_RUNS} runs: ${breakage.what}`);
  return false;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      break: { type: 'string' },
      diary: { type: 'boolean', default: false },
    },
  });
  if (values.break === 'list') {
    for (const { law, what } of BREAKAGES) print(`${law.padEnd(18)} ${what}`);
    return true;
  }
  const chosen = BREAKAGES.filter(({ law }) => values.break === 'all' || values.break === law);
  if (values.break !== undefined && chosen.length === 0)
    throw new Error(`no safeguard ${values.break}; try --break list`);
  ensureKeyRange();
  const first = Number(values.seed);
  const simulator = await Simulator.start();
  try {
    if (values.break === undefined) {
      return await runClean(simulator, first, { runs: Number(values.runs), isVerbose: values.diary });
    }
    let isAllNoticed = true;
    for (const breakage of chosen)
      isAllNoticed = (await runBroken(simulator, breakage, first)) && isAllNoticed;
    return isAllNoticed;
  } finally {
    await simulator.stop();
  }
}

const isClean = await main();
process.exit(isClean ? 0 : 1);
