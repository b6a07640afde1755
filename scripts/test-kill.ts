/**
 * `npm run test:kill -- [--runs N] [--database pglite|embedded] [--seed S]`: kills the server mid-write N times
 * and checks what it promised. Exit code 0 only when every promise was kept in every round.
 */
import { parseArgs } from 'node:util';
import { createPrng } from '../server/app/seed/seed-prng.ts';
import { runKills } from '../tests/kill/kill-runs.ts';
import type { KillRun, KilledDatabase } from '../tests/kill/kill-runs.ts';

const USAGE = 'usage: npm run test:kill -- [--runs N] [--database pglite|embedded] [--seed S]';
const READY_LIMIT_MS = 10_000;
const EXIT_WRONG_USE = 2;

interface Options {
  runs: number;
  database: KilledDatabase;
  seed: number;
}

function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '3' },
      database: { type: 'string', default: 'pglite' },
      seed: { type: 'string', default: '1' },
    },
  });
  const { runs, database, seed } = values;
  const areNumbers = /^[1-9]\d{0,4}$/.test(runs) && /^\d{1,9}$/.test(seed);
  if (!areNumbers || (database !== 'pglite' && database !== 'embedded')) return null;
  return { runs: Number(runs), database, seed: Number(seed) };
}

function problemsOf(round: KillRun): string[] {
  const late = round.readyMs > READY_LIMIT_MS ? [`ready only after ${round.readyMs} ms`] : [];
  return [
    ...late,
    ...round.lost.map((what) => `lost: ${what}`),
    ...round.doubled.map((what) => `doubled: ${what}`),
    ...round.half.map((what) => `half: ${what}`),
    ...round.untold.map((what) => `not in the change log: ${what}`),
  ];
}

function say(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(9)).join(' ')}\n`);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function main(options: Options): Promise<boolean> {
  const rounds: KillRun[] = [];
  const prng = createPrng(options.seed);
  say('kill', 'after ms', 'ready ms', 'answered', 'resent', 'lost', 'doubled', 'half', 'untold');
  await runKills({
    database: options.database,
    runs: options.runs,
    random: () => prng.roll(),
    onRound(round) {
      rounds.push(round);
      const { lost, doubled, half, untold } = round;
      const counts = [lost, doubled, half, untold].map((list) => list.length);
      say(round.round, round.killedAfterMs, round.readyMs, round.acknowledged, round.resent, ...counts);
      for (const problem of problemsOf(round)) process.stdout.write(`          ${problem}\n`);
    },
  });
  const ready = rounds.map((round) => round.readyMs).toSorted((a, b) => a - b);
  const answered = rounds.reduce((total, round) => total + round.acknowledged, 0);
  const resent = rounds.reduce((total, round) => total + round.resent, 0);
  const problems = rounds.flatMap(problemsOf).length;
  process.stdout.write(
    `${options.database}, seed ${options.seed}: ${rounds.length} kills, ${answered} commands answered, ` +
      `${resent} sent again, ready in ${quantile(ready, 0.5)} ms (median) to ${ready.at(-1) ?? 0} ms, ` +
      `${problems} problems\n`,
  );
  return problems === 0 && rounds.length === options.runs;
}

const options = readOptions();
if (options === null) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT_WRONG_USE;
} else {
  process.exitCode = (await main(options)) ? 0 : 1;
}
