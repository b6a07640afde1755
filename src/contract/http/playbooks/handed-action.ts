/** An action that a server hands to its agent (schema §8.1), and what the agent says of it while it runs. */
import { z } from 'zod';

/** Bytes of its output or answer that an agent keeps: they go upstream in one piece. */
export const HANDED_OUTPUT_BYTES = 1024 * 1024;
/** The longest that a pull waits for an action. */
export const LONGEST_PULL_MS = 25_000;
/** Of one action in one call; what is more comes with the next one. */
export const PIECES_A_CALL = 16;

const finished = z.object({
  name: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  result: z.record(z.string(), z.unknown()),
  isTimeout: z.boolean(),
});

/** With everything that its templates see; references to secrets are read where it runs. */
export const handedActionSchema = z.object({
  id: z.guid(),
  run_id: z.guid(),
  playbook_id: z.guid(),
  name: z.string(),
  /** The action, its literal secrets opened. */
  spec: z.record(z.string(), z.unknown()),
  /** `env` of the playbook. */
  env: z.array(z.unknown()),
  parameters: z.record(z.string(), z.string()),
  /** The names of those that are passwords: the agent keeps them out of what it tells. */
  secret_parameters: z.array(z.string()).default([]),
  variables: z.record(z.string(), z.unknown()),
  /** Those before it. */
  actions: z.array(finished),
});
export type HandedAction = z.infer<typeof handedActionSchema>;

const piece = z.object({ stream: z.enum(['stdout', 'stderr']), content: z.string().max(128 * 1024) });
export type HandedPiece = z.infer<typeof piece>;

/** `from` is how many pieces were sent before: what comes twice counts once. */
export const handedProgressSchema = z.object({
  actions: z
    .array(
      z.object({
        id: z.guid(),
        from: z.int().min(0),
        pieces: z.array(piece).max(PIECES_A_CALL),
      }),
    )
    .max(100),
});
export type HandedProgress = z.infer<typeof handedProgressSchema>;

/** Ids of those that nobody waits for any more: they were cancelled, or their time is over. */
export const progressAnswerSchema = z.object({ stop: z.array(z.guid()) });
