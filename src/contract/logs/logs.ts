/** `POST /logs` (contract §11, schema §8.6): what is asked and answered, with what this server adds to it. */
import { z } from 'zod';

/** Lines of one answer, at most and by default. */
export const MAX_PAGE_LINES = 10_000;
export const DEFAULT_PAGE_LINES = 1000;

const MAX_TEXT = 10_000;
const text = z.string().max(MAX_TEXT).nullish();

export const logsRequestSchema = z.object({
  /** A component. */
  id: z.guid({ error: 'must be the id of a component' }),
  /** One of its selectors; the first one where it is empty. */
  name: text,
  /** Words that every line has. */
  query: text,
  /** A moment, or a duration back from now; 1h unless given. */
  start: text,
  end: text,
  /** They narrow what the selector says. */
  labels: z.record(z.string().max(200), z.string().max(MAX_TEXT)).nullish(),
  limit: z.int().min(1).max(MAX_PAGE_LINES).nullish(),
  /** `next` of the answer before. */
  cursor: text,
});

const logLineSchema = z.object({
  /** ISO, UTC. */
  timestamp: z.string(),
  message: z.string(),
  labels: z.record(z.string(), z.string()),
});

export const logsAnswerSchema = z.object({
  /** As far as it is known; never less than the lines of this answer. */
  total: z.number(),
  /** Newest first. */
  results: z.array(logLineSchema),
  /** Asks for what is older; null when there is nothing more in the range. */
  next: z.string().nullish(),
  /** What could not be read, or is otherwise than it seems: a sentence each. */
  notes: z.array(z.string()).nullish(),
  /** Whether some backend gave nothing at all. */
  isPartial: z.boolean().nullish(),
});
export type LogsAnswer = z.output<typeof logsAnswerSchema>;

/**
 * `POST /logs/test`: tries a backend as it is kept, or a specification that is not kept yet; with the id of what it
 * changes, what that one keeps secret is used where the form shows stars.
 */
export const logTestSchema = z.union([
  z.strictObject({ id: z.guid() }),
  z.strictObject({ id: z.guid().nullish(), spec: z.record(z.string(), z.unknown()) }),
]);
export type LogTest = z.input<typeof logTestSchema>;

export const logTestedSchema = z.object({ message: z.string() });
export type LogTested = z.output<typeof logTestedSchema>;
