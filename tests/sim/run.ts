/**
 * `npm run test:sim -- [--runs N] [--seed S] [--break LAW|list|all] [--replay FILE [--runs N]]`: runs simulated worlds
 * until one breaks a promise. A seed that does prints what was promised, and writes the run to a file from which it can
 * be had again. With `--break` a safeguard is switched off, and not noticing that is the failure.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BREAKAGES } from './breakages.ts';
import type { Breakage } from './breakage.ts';
import { ensureKeyRange } from './key-range.ts';
import { readRecording, writeRecording } from './recording.ts';
import { Simulator, type RunReport } from './simulation.ts';

const DIARY_LINES = 60;
/** A safeguard whose absence isn't noticed within so many runs isn't tested. */
const BREAK_RUNS = 40;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a process: what dead workers wait for is held until theirs ends, some 20 MB a run. */
const PART = 50;

/** Many runs, in processes one after the other; true when all were clean. */
async function runInParts(first: number, { runs, isVerbose }: { runs: number; isVerbose: boolean }) {
  const failed: number[] = [];
  for (let seed = first; seed < first + runs; seed += PART) {
    const some = String(Math.min(PART, first + runs - seed));
    const options = ['--runs', some, '--seed', String(seed), ...(isVerbose ? ['--diary'] : [])];
    const [, program = ''] = process.argv;
    const part = spawn(process.execPath, [...process.execArgv, program, ...options], { stdio: 'inherit' });
    const [code] = (await once(part, 'exit')) as [number | null];
    if (code !== 0) failed.push(seed);
  }
  const parts =
    failed.length === 0 ? 'all clean' : `failures among those from ${failed.join(', ')} (see above)`;
  print(`${runs} runs from seed ${first}: ${parts}`);
  return failed.length === 0;
}

/** Where failing runs are written. */
const RECORDINGS = join('test-results', 'sim');

async function record({ seed, recording }: RunReport): Promise<string> {
  await mkdir(RECORDINGS, { recursive: true });
  const file = join(RECORDINGS, `${recording.law ?? 'seed'}-${seed}.json`);
  await writeRecording(file, recording);
  return file;
}

function printFailure({ seed, violations, trace }: RunReport, file: string, isVerbose: boolean): void {
  print(`\nseed ${seed}: ${violations.length} broken promises`);
  for (const { law, what } of violations.slice(0, isVerbose ? 20 : 3))
    print(`  ${law}: ${what.slice(0, 800)}`);
  if (isVerbose) for (const line of trace.slice(-DIARY_LINES)) print(`    ${line.slice(0, 240)}`);
  print(`  again: npm run test:sim -- --replay ${file} --diary`);
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
      printFailure(report, await record(report), options.isVerbose);
    }
    if (options.isVerbose) print(`seed ${seed} took the steps ${report.recording.steps}`);
    if ((seed - first + 1) % 10 === 0) print(`${seed - first + 1} runs, ${failed.length} failed`);
  }
  const seconds = (Date.now() - startedMs) / 1000;
  print(
    `${options.runs} runs from seed ${first}, ${commands} commands, ${failed.length} failed` +
      `${failed.length > 0 ? ` (${failed.join(', ')})` : ''}; slowest rest ${slowestMs / 1000} s of its time; took ${seconds.toFixed(0)} s`,
  );
  return failed.length === 0;
}

/** Runs a recorded world again, as often as asked; true when each time the same steps broke the same promises. */
async function runAgain(
  simulator: Simulator,
  file: string,
  options: { runs: number; isVerbose: boolean },
): Promise<boolean> {
  const recording = await readRecording(file);
  const breakage = BREAKAGES.find(({ law }) => law === recording.law) ?? null;
  let same = 0;
  for (let at = 0; at < options.runs; at += 1) {
    const report = await simulator.run(recording.seed, { breakage, recording });
    const isBroken = JSON.stringify(report.recording.broken) === JSON.stringify(recording.broken);
    const isSame = isBroken && report.recording.steps === recording.steps;
    if (isSame) same += 1;
    else
      print(
        `run ${at + 1} took the steps ${report.recording.steps}, not ${recording.steps}, and broke ${report.violations.length}`,
      );
    if (at === 0 || !isSame) printFailure(report, file, options.isVerbose);
  }
  print(`${same} of ${options.runs} replays took the recorded steps and broke the same promises`);
  return same === options.runs;
}

/** Runs until the missing safeguard is noticed. */
async function runBroken(simulator: Simulator, breakage: Breakage, first: number): Promise<boolean> {
  for (let at = 0; at < BREAK_RUNS; at += 1) {
    const { seed, violations } = await simulator.run(first + at, { breakage });
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
      runs: { type: 'string' },
      seed: { type: 'string', default: '1' },
      break: { type: 'string' },
      replay: { type: 'string' },
      trace: { type: 'boolean', default: false },
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
  const runs = Number(values.runs ?? 50);
  const isClean = values.break === undefined && values.replay === undefined;
  if (isClean && runs > PART) return runInParts(first, { runs, isVerbose: values.trace });
  const simulator = await Simulator.start();
  try {
    const isVerbose = values.trace;
    if (values.replay !== undefined)
      return await runAgain(simulator, values.replay, { runs: Number(values.runs ?? 1), isVerbose });
    if (values.break === undefined) return await runClean(simulator, first, { runs, isVerbose });
    let isAllNoticed = true;
    for (const breakage of chosen)
      isAllNoticed = (await runBroken(simulator, breakage, first)) && isAllNoticed;
    return isAllNoticed;
  } finally {
    await simulator.stop();
  }
}

process.exit((await main()) ? 0 : 1);
