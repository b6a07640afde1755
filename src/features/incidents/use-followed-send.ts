/**
 * Sends a command and tells what became of it, while the one who sent it looks on: the server did it, or refused.
 * What is refused stays in the outbox; what happens after this is gone from the screen is told there alone.
 */
import { useCallback, useEffect, useRef } from 'react';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import type { ErrorFacts } from '../../contract/errors.ts';
import type { OutboxState, OutboxView } from '../../contract/outbox.ts';
import { sendCommand } from '../../data/commands.ts';
import { useOutbox } from '../../data/use-outbox.ts';

export type Settled =
  | { kind: 'done' }
  | (Pick<Extract<OutboxState, { kind: 'refused' }>, 'kind' | 'code' | 'message'> & { commandId: string });

interface Followed {
  /** The outbox is told of after the fact: what isn't in it yet is not done. */
  isSeen: boolean;
  settle: (settled: Settled) => void;
}

function look(outbox: OutboxView | undefined, followed: Map<string, Followed>): void {
  if (outbox === undefined) return;
  for (const [commandId, one] of followed) {
    const state = outbox.items.find((item) => item.commandId === commandId)?.state;
    const isDone = state === undefined ? one.isSeen : state.kind === 'accepted';
    one.isSeen ||= state !== undefined;
    if (!isDone && state?.kind !== 'refused') continue;
    followed.delete(commandId);
    one.settle(state?.kind === 'refused' ? { ...state, commandId } : { kind: 'done' });
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
  const followed = useRef(new Map<string, Followed>());
  useEffect(() => {
    latest.current = outbox;
    look(outbox, followed.current);
  }, [outbox]);
  return useCallback(async (request, settle) => {
    const answer = await sendCommand(request);
    if (!answer.ok) return answer.error;
    followed.current.set(answer.value.commandId, { isSeen: false, settle });
    look(latest.current, followed.current);
    return null;
  }, []);
}
