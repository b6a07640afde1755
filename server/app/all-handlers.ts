/** Every command that this server does, by name. */
import type { CommandHandler } from '../replication/commands/command-handler.ts';
import { CHECK_HANDLERS } from '../health/commands/check-handlers.ts';
import { COMMENT_HANDLERS } from '../incidents/commands/comment-handlers.ts';
import { DONE_HANDLERS } from '../incidents/commands/done-handlers.ts';
import { EVIDENCE_HANDLERS } from '../incidents/commands/evidence-handlers.ts';
import { HYPOTHESIS_HANDLERS } from '../incidents/commands/hypothesis-handlers.ts';
import { INCIDENT_HANDLERS } from '../incidents/commands/incident-handlers.ts';
import { ACKNOWLEDGE_HANDLERS } from '../notifications/commands/acknowledge-handlers.ts';
import { NOTIFICATION_HANDLERS } from '../notifications/commands/silence-handlers.ts';
import { READ_HANDLERS } from '../notifications/commands/read-handlers.ts';
import { SHIFT_NOTE_HANDLERS } from '../notifications/commands/shift-note-handlers.ts';
import { RESPONDER_HANDLERS } from '../incidents/commands/responder-handlers.ts';
import { THING_HANDLERS } from './things/thing-handlers.ts';
import { RESPONDER_PROGRESS_HANDLERS } from '../incidents/commands/responder-progress-handlers.ts';

const BY_NAME: ReadonlyMap<string, CommandHandler> = new Map(
  [
    ...CHECK_HANDLERS,
    ...INCIDENT_HANDLERS,
    ...HYPOTHESIS_HANDLERS,
    ...EVIDENCE_HANDLERS,
    ...DONE_HANDLERS,
    ...COMMENT_HANDLERS,
    ...RESPONDER_HANDLERS,
    ...READ_HANDLERS,
    ...ACKNOWLEDGE_HANDLERS,
    ...NOTIFICATION_HANDLERS,
    ...RESPONDER_PROGRESS_HANDLERS,
    ...THING_HANDLERS,
    ...SHIFT_NOTE_HANDLERS,
  ].map((handler) => [handler.definition.name, handler]),
);

/** The handler of that name; undefined when this version doesn't know it. */
export function handlerNamed(name: string): CommandHandler | undefined {
  return BY_NAME.get(name);
}
