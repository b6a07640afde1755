/** Work on a list, a few at a time; a part that fails is told and the rest goes on. */
import { AppError } from '../../../../../src/contract/errors.ts';

export interface Part<Result> {
  name: string;
  run: () => Promise<Result>;
}

/** The sentence of a part's failure. */
export function sentenceOf(name: string, error: unknown): string {
  if (error instanceof AppError)
    return error.message.startsWith(name) ? error.message : `${name}: ${error.message}`;
  return `${name}: ${error instanceof Error ? error.message : String(error)}`;
}

/** Results in the order of the parts (those that worked), and a sentence for each that didn't. */
export async function inParallel<Result>(
  parts: readonly Part<Result>[],
  limits: { atOnce: number; signal: AbortSignal },
): Promise<{ results: Result[]; errors: string[] }> {
  const slots: (Result | undefined)[] = Array.from({ length: parts.length });
  const errors: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < parts.length; index = next++) {
      const part = parts[index];
      if (part === undefined) return;
      limits.signal.throwIfAborted();
      try {
        slots[index] = await part.run();
      } catch (error) {
        if (limits.signal.aborted) throw error;
        errors.push(sentenceOf(part.name, error));
      }
    }
  };
  const workers = Math.min(Math.max(1, limits.atOnce), parts.length);
  await Promise.all(Array.from({ length: workers }, worker));
  return { results: slots.filter((slot) => slot !== undefined), errors };
}
