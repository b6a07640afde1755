/**
 * Our extras on the wire: discovered once per session, each with a fallback that uses only the contract
 * (design §3). A backend that answers 404 here has none of them.
 */
import { z } from 'zod';

/** `GET /api/capabilities` */
export const capabilitiesSchema = z.object({
  version: z.string(),
  /** ISO; the device's offset is taken from it. */
  server_time: z.string(),
  /** `GET /api/events` streams nudges and heartbeats. */
  events: z.boolean().default(false),
  /** `check_summary` carries agent, endpoint and next_runtime. */
  summary_extras: z.boolean().default(false),
  /** `GET /canary/api/summary?start=` sums up another window than the last hour. */
  summary_range: z.boolean().default(false),
});
export type Capabilities = z.output<typeof capabilitiesSchema>;

/**
 * Events of `GET /api/events`. `nudge` says that tables changed (never what changed: rows come by the data
 * API, under the reader's own permissions); `heartbeat` comes every 10 s.
 */
export const HEARTBEAT_MS = 10_000;
export const nudgeSchema = z.object({ tables: z.array(z.string()), server_time: z.string() });
export const heartbeatSchema = z.object({ server_time: z.string() });
export const EVENT_NAMES = { nudge: 'nudge', heartbeat: 'heartbeat', signedOut: 'signed-out' } as const;
