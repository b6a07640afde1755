/** Rows of views that only screens about the server itself read: files of runs, its event queue. */
import { z } from 'zod';

/** The files that one run of a check has left, newest run first (schema §1.6). */
export const runFilesSchema = z.looseObject({
  check_id: z.string(),
  time: z.string(),
  artifacts: z.array(z.looseObject({ id: z.string(), name: z.string(), size: z.coerce.number().nullish() })),
});

const queueRowSchema = z.looseObject({
  name: z.string(),
  pending: z.coerce.number().nullish(),
  failed: z.coerce.number().nullish(),
  average_attempts: z.coerce.number().nullish(),
  first_failure: z.string().nullish(),
  last_failure: z.string().nullish(),
  most_common_error: z.string().nullish(),
});
/** An event that failed, with its error. */
const failedEventSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  attempts: z.coerce.number().nullish(),
  created_at: z.string().nullish(),
  last_attempt: z.string().nullish(),
  error: z.string().nullish(),
});
export type FailedEvent = z.output<typeof failedEventSchema>;
export type QueueRow = z.output<typeof queueRowSchema>;

/** The event queue, read on demand. */
export const EVENT_VIEWS = {
  event_queue_summary: {
    source: { table: 'event_queue_summary', select: '*' },
    row: queueRowSchema,
    isKept: true,
    follows: [],
  },
  /** Events that failed; what they are about does not stay on a device. */
  failed_events: {
    source: { table: 'event_queue', select: 'id,name,properties,attempts,created_at,last_attempt,error' },
    row: failedEventSchema,
    isKept: false,
    follows: [],
  },
} as const;
