/** Results as JSON, written so that a later run can be set beside them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { CORES } from './core/machine.ts';
import type { Measurement } from './core/measurement.ts';
import type { PartResult } from './run-part.ts';

const lineSchema = z.object({
  part: z.string(),
  title: z.string(),
  unit: z.enum(['ms', 'fps', 'KB', 'MB', '%', '']),
  statistic: z.enum(['median', 'p95', 'max', 'exact']),
  goal: z.number().nullable(),
  before: z.string(),
  isHeadline: z.literal(true).optional(),
  minRuns: z.number().optional(),
});
const resultSchema = z.object({
  measurements: z.array(
    z.object({
      key: z.string(),
      line: lineSchema,
      samples: z.array(z.number()),
      cpuMs: z.number().nullable(),
      load: z.number().nullable(),
      note: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
});

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty']).toString().trim();
  } catch {
    return 'unknown';
  }
}

/** Writes what has been measured so far; called after each part, so that a cut leaves what there was. */
export function writeResult(file: string, startedAt: Date, parts: readonly PartResult[]): void {
  const result = {
    startedAt: startedAt.toISOString(),
    commit: commit(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: CORES,
    parts: parts.map(({ part, seconds, error }) => ({ part, seconds, error })),
    measurements: parts.flatMap((part) => part.measurements),
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
}

/** The measurements of an earlier run; throws where the file isn't one. */
export function readResult(file: string): Measurement[] {
  // What zod answers may have `undefined` where the type has nothing.
  return resultSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).measurements as Measurement[];
}
