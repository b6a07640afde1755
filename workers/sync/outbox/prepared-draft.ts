/**
 * A prepared run as the outbox keeps it: refused from the start, since nobody has confirmed it. No command has its name,
 * so that neither the sender nor a redo can send it (design §4 law 9).
 */
import { PREPARED_RUN, type PreparedRun } from '../../../src/domain/playbook/prepared-run.ts';
import type { Draft } from './outbox-port.ts';
import { refusedHere } from './outbox-rules.ts';

/** Who prepared it, and when (ms, server clock). */
export function preparedDraft(
  run: PreparedRun,
  { userId, nowMs }: { userId: string; nowMs: number },
): Omit<Draft, 'commandId'> {
  return {
    name: PREPARED_RUN,
    version: 1,
    args: run,
    basedOn: null,
    expiresAt: null,
    userId,
    atMs: nowMs,
    about: run.resource?.name ?? run.playbook,
    touches: [run.playbookId],
    creates: [],
    failures: 0,
    state: refusedHere('unconfirmed', '', nowMs),
  };
}
