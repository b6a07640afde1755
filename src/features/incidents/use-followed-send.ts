/**
 * Sends a command and tells what became of it, while the one who sent it looks on: the server did it, or refused.
 * What is refused stays in the outbox; what happens after this is gone from the screen is told there alone.
 */
import { useCallback, useEffect, useRef } from 'react';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import type { ErrorFacts } from '../../contract/errors.ts';
import type { OutboxState, OutboxView } from '../../contract/outbox/outbox.ts';
import { sendCommand } from '../../data/commands/commands.ts';
import { useOutbox } from '../../data/commands/use-outbox.ts';

export type Settled =
  | { kind: 'done' }
  | (Pick<Extract<OutboxState, { kind: 'refused' }>, 'kind' | 'code' | 'message'> & { commandId: string });

type Settle = (settled: Settled) => void;

/** The outbox is told of after the fact: what it hasn't shown yet is not done. */
interface Watch {
  shown: Set<string>;
  followed: Map<string, Settle>;
}

function look(outbox: OutboxView | undefined, { shown, followed }: Watch): void {
  if (outbox === undefined) return;
  for (const { commandId } of outbox.items) shown.add(commandId);
  for (const [commandId, settle] of followed) {
    const state = outbox.items.find((item) => item.commandId === commandId)?.state;
    const isDone = state === undefined ? shown.has(commandId) : state.kind === 'accepted';
    if (!isDone && state?.kind !== 'refused') continue;
    followed.delete(commandId);
    settle(state?.kind === 'refused' ? { ...state, commandId } : { kind: 'done' });
  }
}

export type FollowedSend = (
  request: CommandRequest,
  settle: (settled: Settled) => void,
) => Promise<ErrorFacts | null>;

/** Answers why the command couldn't even be kept on this device, else null. */
export function useFollowedSend(): FollowedSend {
  const outbox = useOutbox();
  const latest = useRef(outbox);
  const watch = useRef<Watch>({ shown: new Set(), followed: new Map() });
  useEffect(() => {
    latest.current = outbox;
    look(outbox, watch.current);
  }, [outbox]);
  return useCallback(async (request, settle) => {
    const answer = await sendCommand(request);
    if (!answer.ok) return answer.error;
    watch.current.followed.set(answer.value.commandId, settle);
    look(latest.current, watch.current);
    return null;
  }, []);
}
