/**
 * Many commands that somebody gives at once: kept together, held back for a moment in which Undo takes all of them back
 * as if they had never been, and followed one by one until the server has done or refused each.
 */
import { useCallback, useMemo, useState } from 'react';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import type { Answer } from '../../contract/queries/queries.ts';
import type { OutboxItem } from '../../contract/outbox.ts';
import { dropCommands, sendCommands } from './commands.ts';
import { useOutbox } from './use-outbox.ts';

/** How long the outbox holds them; the offer ends a little earlier, so that it never comes too late. */
const HOLD_MS = 11_000;
export const UNDO_MS = 10_000;

export interface BulkPart {
  name: string;
  request: CommandRequest;
}

export interface BulkResult {
  commandId: string;
  name: string;
  state: 'waiting' | 'done' | 'refused';
  /** Why it was refused. */
  reason: string | null;
}

interface Given {
  title: string;
  sent: readonly { commandId: string; name: string }[];
  /** Taken back before they left. */
  undone: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

function resultOf(item: OutboxItem | undefined): Pick<BulkResult, 'state' | 'reason'> {
  // What left the outbox was done, and seen here.
  if (item === undefined || item.state.kind === 'accepted') return { state: 'done', reason: null };
  if (item.state.kind === 'refused') return { state: 'refused', reason: item.state.message };
  return { state: 'waiting', reason: null };
}

export interface Bulk {
  /** What was given last; null when there is nothing to tell. */
  report: { title: string; undone: number; results: readonly BulkResult[] } | null;
  give: (title: string, parts: readonly BulkPart[]) => Promise<Answer<{ commandIds: string[] }>>;
  undo: () => Promise<void>;
  dismiss: () => void;
}

/** See the head of this file. */
export function useBulk(): Bulk {
  const [given, setGiven] = useState<Given | null>(null);
  const outbox = useOutbox();
  const report = useMemo(() => {
    if (given === null || outbox === undefined) return null;
    const items = new Map(outbox.items.map((item) => [item.commandId, item]));
    const results = given.sent
      .filter(({ commandId }) => !given.undone.has(commandId))
      .map(({ commandId, name }) => ({ commandId, name, ...resultOf(items.get(commandId)) }));
    return { title: given.title, undone: given.undone.size, results };
  }, [given, outbox]);
  const give = useCallback(async (title: string, parts: readonly BulkPart[]) => {
    const answer = await sendCommands(
      parts.map(({ request, name }) => ({ request, about: name })),
      { holdMs: HOLD_MS },
    );
    if (answer.ok) {
      const { commandIds } = answer.value;
      const sent = parts.map(({ name }, at) => ({ name, commandId: commandIds[at] ?? '' }));
      setGiven({ title, sent, undone: NONE });
    }
    return answer;
  }, []);
  const undo = useCallback(async () => {
    const answer = await dropCommands((given?.sent ?? []).map(({ commandId }) => commandId));
    if (!answer.ok) return;
    const undone = new Set(answer.value.dropped);
    setGiven((before) => (before === null ? null : { ...before, undone }));
  }, [given]);
  const dismiss = useCallback(() => setGiven(null), []);
  return { report, give, undo, dismiss };
}
