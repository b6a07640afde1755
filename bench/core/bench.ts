/**
 * What a part of the benchmark is given to measure with. It runs a piece of work several times, takes the machine's
 * load before and during it and its CPU time, and tells each line's result at once: what fails afterwards takes
 * nothing away.
 */
import { LINES, type LineKey } from '../lines.ts';
import { watchMachine } from './machine.ts';
import { runsWanted } from './measurement.ts';
import type { Line, Measurement } from './measurement.ts';

/** What one run found, by line: a value, or several of one run. */
export type Found<Key extends string = LineKey> = Partial<Record<Key, number | readonly number[]>>;

export interface Bench {
  /** Whether any of these lines was asked for. */
  wants(...keys: LineKey[]): boolean;
  /** Runs it that many times for these lines; an error is noted for them and thrown to nobody. */
  measure(keys: readonly LineKey[], runs: number, run: (at: number) => Promise<Found>): Promise<void>;
  /** A line that is found on the way and has no goal. */
  extra(title: string, unit: Line['unit'], samples: readonly number[]): void;
  /** What the values of a line were measured on. */
  note(key: LineKey, text: string): void;
}

const QUIET_MS = 1000;
/** The work before (a server that starts, a seed) is given this long to end. */
const QUIET_TRIES = 30;
const QUIET_LOAD = 0.3;

/** How many cores are busy with other things now, once that is little or does not get less. */
async function loadBefore(): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < QUIET_TRIES && least > QUIET_LOAD; attempt += 1) {
    const end = watchMachine();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    least = Math.min(least, end().load);
  }
  return least;
}

const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? 'unknown';

function figuresOf(found: number | readonly number[] = []): readonly number[] {
  const figures = typeof found === 'number' ? [found] : found;
  if (!figures.every(Number.isFinite)) throw new Error('a run has no figure');
  return figures;
}

/** The part, the lines that are asked for, and whether no more runs are made than it takes to judge them. */
export interface BenchOrder {
  part: string;
  wanted: readonly LineKey[];
  isQuick: boolean;
}

/** Answers the bench of one part; `tell` hears each result. */
export function createBench(
  { part, wanted, isQuick }: BenchOrder,
  tell: (measurement: Measurement) => void,
): Bench {
  const notes = new Map<string, string>();
  const wants = (...keys: LineKey[]) => keys.some((key) => wanted.includes(key));
  const runsOf = (asked: readonly LineKey[], runs: number) => {
    // A run of these brings several samples.
    const isShort = isQuick && asked.every((key) => LINES[key].statistic !== 'p95');
    return isShort ? Math.min(runs, Math.max(...asked.map((key) => runsWanted(LINES[key])))) : runs;
  };
  return {
    wants,
    note: (key, text) => void notes.set(key, text),
    extra(title, unit, samples) {
      const line: Line = { part, title, unit, statistic: 'median', goal: null, before: '–' };
      tell({ key: title, line, samples, cpuMs: null, load: null });
    },
    async measure(keys, runs, run) {
      const asked = keys.filter((key) => wants(key));
      if (asked.length === 0) return;
      const samples = new Map<LineKey, number[]>(asked.map((key) => [key, []]));
      const before = await loadBefore();
      const end = watchMachine();
      let done = 0;
      let error: string | null = null;
      try {
        for (const most = runsOf(asked, runs); done < most; done += 1) {
          const found = await run(done);
          for (const key of asked) samples.get(key)?.push(...figuresOf(found[key]));
        }
      } catch (thrown) {
        console.error(thrown);
        error = firstLine(thrown);
      }
      const during = end();
      for (const key of asked) {
        const note = notes.get(key);
        tell({
          key,
          line: LINES[key],
          samples: samples.get(key) ?? [],
          cpuMs: done === 0 ? null : during.cpuMs / done,
          load: Math.max(before, during.load),
          ...(note === undefined ? {} : { note }),
          ...(error === null ? {} : { error }),
        });
      }
    },
  };
}
