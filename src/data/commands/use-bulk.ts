/**
 * Many commands that somebody gives at once: kept together, held back for a moment in which Undo takes all of them back
 * as if they had never been, and followed one by one until the server has done or refused each. Later, Stop takes back
 * those that have not left yet.
 */
import { useCallback, useMemo, useState } from 'react';
import type { CommandRequest } from '../../contract/commands/all-commands.ts';
import type { Answer } from '../../contract/queries/queries.ts';
import type { OutboxItem } from '../../contract/outbox/outbox.ts';
import type { BulkReport, BulkResult } from '../../domain/bulk/bulk-report.ts';
import { dropCommands, sendCommands } from './commands.ts';
import { useOutbox } from './use-outbox.ts';

/** How long the outbox holds them; the offer ends a little earlier, so that it never comes too late. */
const HOLD_MS = 11_000;
export const UNDO_MS = 10_000;

export interface BulkPart {
  name: string;
  /** Made when it is written down: of ten thousand not all in one breath. */
  request: () => CommandRequest;
}

export interface BulkGiven {
  key: string;
  title: string;
  parts: readonly BulkPart[];
}

interface Given {
  title: string;
  sent: readonly { key: string; name: string }[];
  /** Taken back before they left. */
  takenBack: ReadonlySet<string>;
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
  report: BulkReport | null;
  /** `key` is an id of this alone. */
  give: (given: BulkGiven) => Promise<Answer<{ commandIds: string[] }>>;
  /** Takes back what has not left this device. */
  takeBack: () => Promise<void>;
  dismiss: () => void;
}

/** See the head of this file. */
export function useBulk(): Bulk {
  const [given, setGiven] = useState<Given | null>(null);
  const outbox = useOutbox();
  const report = useMemo(() => {
    if (given === null || outbox === undefined) return null;
    const items = new Map(outbox.items.map((item) => [item.commandId, item]));
    const results = given.sent.map(({ key, name }): BulkResult => {
      if (given.takenBack.has(key)) return { key, name, state: 'taken-back', reason: null };
      return { key, name, ...resultOf(items.get(key)) };
    });
    return { title: given.title, results };
  }, [given, outbox]);
  const give = useCallback(async ({ key: ofAll, title, parts }: BulkGiven) => {
    const answer = await sendCommands(
      parts.map(({ request, name }) => ({ make: request, about: name })),
      { holdMs: HOLD_MS, key: ofAll },
    );
    if (answer.ok) {
      const { commandIds } = answer.value;
      const sent = parts.map(({ name }, at) => ({ name, key: commandIds[at] ?? '' }));
      setGiven({ title, sent, takenBack: NONE });
    }
    return answer;
  }, []);
  const takeBack = useCallback(async () => {
    const answer = await dropCommands((given?.sent ?? []).map(({ key }) => key));
    if (!answer.ok) return;
    const { dropped } = answer.value;
    setGiven((before) =>
      before === null ? null : { ...before, takenBack: new Set([...before.takenBack, ...dropped]) },
    );
  }, [given]);
  const dismiss = useCallback(() => setGiven(null), []);
  return { report, give, takeBack, dismiss };
}
