/** All actions of the sync worker, by name; workers/sync/actions/action-handlers.ts does them. */
import { z } from 'zod';
import type { CommandRequest } from '../commands/all-commands.ts';
import type { AdminOutcome } from '../http/admin-actions.ts';
import { adminActionSchema } from '../http/admin-actions.ts';
import type { RunResult } from '../http/canary.ts';
import type { DryRun } from '../http/playbooks/playbook-dry-run.ts';
import type { RunOutput } from '../http/playbooks/playbook-output.ts';
import { runRequestSchema, type StartedRun } from '../http/playbooks/playbooks.ts';
import { previewSchema, type Previewed } from '../http/notifications/rule-preview.ts';
import { preparedRunSchema } from '../../domain/playbook/prepared-run.ts';
import { identityRequestSchema, type IdentityAnswer } from '../http/identity/identity-flow.ts';
import type { FlowError } from '../http/shell.ts';
import { logTestSchema, type LogTested } from '../logs/logs.ts';
import { logPageSchema, type ReadLogs } from '../logs/log-pages.ts';
import { snapshotRequestSchema } from '../http/snapshot.ts';
import { reachCallSchema, type Reach } from '../http/reach.ts';
import { tryCheckSchema, type TriedChecks } from '../http/trying/try-check.ts';
import { tryScraperSchema, type TriedScraper } from '../http/trying/try-scraper.ts';
import { tryDoneSchema, type TriedDone } from '../http/trying/try-done.ts';
import { collectionSchema } from '../collection-rows.ts';
import { idOf } from '../ids.ts';
import { pushCallSchema } from '../push.ts';
import type { StorageFacts } from '../worker.ts';
import { isTimeRange, type TimeRange } from '../../domain/time/ranges.ts';
import { action } from './action-definition.ts';

const nothing = z.object({});
/** What it is and whether it fits is asked when it is written down. */
const isNamed = (value: unknown) => typeof value === 'object' && value !== null && 'name' in value;
const command = z.object({ commandId: idOf('command') });

export const SYNC_ACTIONS = {
  /** What the identity pages ask; refusals are answers, too. */
  'call-identity': action<IdentityAnswer>()(identityRequestSchema),
  /** Why an identity flow failed. */
  'read-flow-error': action<FlowError>()(z.object({ id: z.string() })),
  /** Notifications of this browser. Offline it is refused. */
  'call-push': action<string | null>()(pushCallSchema),
  /** How the user is reached: reads it, after a change or a test of a device, too. Offline it is refused. */
  'call-reach': action<Reach>()(reachCallSchema),
  /** Asks the server who is signed in, once, now; answers whether anybody is. */
  'check-session': action<boolean>()(nothing),
  /**
   * Deletes what is stored of the user, online or not, then ends the session on the server. Unsent commands go too,
   * unless they are to stay sealed on this device for the same user.
   */
  'sign-out': action<null>()(z.object({ keepOutbox: z.boolean() })),
  /** Asks the server again now; a pull that still runs is aborted (spec 1 §2 'Auto-refresh'). */
  refresh: action<null>()(nothing),
  /** How often to ask besides being told; null asks only when told. */
  'set-poll-interval': action<null>()(z.object({ intervalMs: z.number().nullable() })),
  /** Which range the uptime and latency columns want, so that it is fetched and stored. */
  'set-summary-range': action<null>()(
    z.object({
      range: z.custom<TimeRange>((value) => typeof value === 'string' && isTimeRange(value)),
    }),
  ),
  /** What a page waits for: on a device without rows it is loaded first. */
  'want-collections': action<null>()(z.object({ collections: z.array(collectionSchema) })),
  /** Device facts the worker can't see itself: online hint and visibility of the page. */
  'set-device-state': action<null>()(z.object({ isOnline: z.boolean(), isVisible: z.boolean() })),
  /** Does an administrator's action now; refused offline (design §4 law 9). */
  administer: action<AdminOutcome>()(adminActionSchema),
  /** Runs the check now. Never queued: offline it is refused (design §4 law 9). */
  'run-check': action<RunResult | null>()(z.object({ checkId: idOf('check') })),
  /** Starts a playbook; the same key again is the same run. Refused offline, as the next ones. */
  'run-playbook': action<StartedRun>()(runRequestSchema.extend({ key: z.string() })),
  /** What a run would do; nothing is run. */
  'dry-run': action<DryRun>()(runRequestSchema),
  /** What the steps of a run wrote after a place; answered when there is something, or after some seconds. */
  'read-output': action<RunOutput>()(z.object({ runId: idOf('run'), after: z.number() })),
  'cancel-run': action<null>()(z.object({ runId: idOf('run') })),
  'approve-run': action<null>()(z.object({ runId: idOf('run') })),
  /** Writes a run down that somebody has to confirm later: nothing sends it. */
  'prepare-run': action<{ commandId: string }>()(preparedRunSchema),
  /** Everything about a component as a zip, from the server now. */
  'download-snapshot': action<Uint8Array>()(snapshotRequestSchema),
  /**
   * A page of a component's log, as the text of the answer. What the server can't be asked is answered from what was
   * looked at last, where there is something.
   */
  'read-logs': action<ReadLogs>()(logPageSchema),
  /** Tries a log backend; answers a sentence. */
  'test-log-backend': action<LogTested>()(logTestSchema),
  /** What a rule of notifications would say; writes nothing. Refused offline. */
  'preview-rule': action<Previewed>()(previewSchema),
  /** Has the server run checks once that nobody has kept. Refused offline. */
  'try-check': action<TriedChecks>()(tryCheckSchema),
  /** Has the server read a scraper once that nobody has kept. Refused offline. */
  'try-scraper': action<TriedScraper>()(tryScraperSchema),
  /** Tries a script of a definition of done; writes nothing. Refused offline, too. */
  'try-done': action<TriedDone>()(tryDoneSchema),
  /** Sends a refused command again, on top of the server's present values (a new command takes its place). */
  'redo-command': action<{ commandId: string }>()(command),
  /** Takes a command out that was refused or never sent. */
  'drop-command': action<null>()(command),
  /**
   * Writes many commands down at once, all or none; each is sent by itself. They come in parts of one key; only the last
   * one writes, and answers with all of their ids.
   */
  'send-commands': action<{ commandIds: string[] }>()(
    z.object({
      commands: z.array(z.object({ request: z.custom<CommandRequest>(isNamed), about: z.string() })),
      key: z.string(),
      /** How many of them came before: of a worker that began anew, or of another user, nothing is written. */
      start: z.number(),
      isLast: z.boolean(),
      holdMs: z.number().optional(),
    }),
  ),
  /** Takes out those of many that never left this device; answers which. */
  'drop-commands': action<{ dropped: string[] }>()(z.object({ commandIds: z.array(z.string()) })),
  /** Which of these commands of the user the server has done; null where it can't tell (a plain backend). */
  'find-applied': action<string[] | null>()(z.object({ commandIds: z.array(z.string()) })),
  /** Keeps a begun text, or forgets it (null); resolves when that is durable on this device. */
  'write-draft': action<null>()(z.object({ key: z.string(), text: z.string().nullable() })),
  'dismiss-catch-up': action<null>()(nothing),
  'read-storage': action<StorageFacts>()(nothing),
  /** Sends the outbox if it can, throws everything else away and loads it again. */
  'rebuild-store': action<null>()(nothing),
};
export type SyncActions = typeof SYNC_ACTIONS;
