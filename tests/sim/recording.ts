/** A run as it is written to a file: what befell the world, what was left to chance, and what came of it. */
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Plan } from './schedule.ts';

/** Written by ourselves: the events are taken as they are. */
const recordingSchema = z.object({
  seed: z.number().int(),
  /** The safeguard that was switched off; null for none. */
  law: z.string().nullable(),
  plan: z.custom<Plan>((value) => typeof value === 'object' && value !== null && 'events' in value),
  choices: z.string(),
  /** All steps as one number (step-trace.ts). */
  steps: z.string(),
  broken: z.array(z.string()),
});
export type Recording = z.output<typeof recordingSchema>;

export async function writeRecording(file: string, recording: Recording): Promise<void> {
  await writeFile(file, `${JSON.stringify(recording)}\n`);
}

export async function readRecording(file: string): Promise<Recording> {
  return recordingSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
