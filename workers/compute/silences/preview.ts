/** What a silence covers, and what it would have hidden: its rules over the things and the send history of this device. */
import {
  SILENCED_KINDS,
  type SilencedKind,
  type SilencedUntil,
  type SilencePreview,
} from '../../../src/contract/queries/silence-view.ts';
import { isInOperation } from '../../../src/domain/incident/rule-hours.ts';
import { healthOfEvent } from '../../../src/domain/notification/notification-rule.ts';
import { coverOf, isActive, type Silence } from '../../../src/domain/notification/silence.ts';
import { silentUntilMs } from '../../../src/domain/notification/silence-row.ts';
import { asText } from '../live/columns.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import type { AskFilter, FilterVerdict } from './cel-filter.ts';
import { kindsOf, type Thing, type Things } from './things.ts';

/** What somebody was told of, or would have been. */
const TOLD: ReadonlySet<unknown> = new Set(['sent', 'sending', 'pending', 'error']);
/** How far the store of a device goes back. */
export const PREVIEW_MS = 7 * 24 * 3_600_000;

export interface SilenceWork {
  things: Things;
  ask: AskFilter;
  /** Lets other questions have their turn. */
  pause: () => Promise<void>;
  nowMs: number;
}

interface Asked {
  ask: AskFilter;
  /** What happened to it; null where it is only asked whether it is covered. */
  event: string | null;
}

function verdictOf(silence: Silence, thing: Thing, { ask, event }: Asked): FilterVerdict {
  const cover = coverOf(silence, thing.resource);
  if (cover !== 'asks') return cover;
  const state = event === null ? null : (healthOfEvent(event) ?? event.split('.').at(-1) ?? '');
  return ask(silence.filter ?? '', { ...thing.environment(), event, new_state: state });
}

/** One that this device no longer has can still be named. */
const bare = (kind: SilencedKind, id: string): Thing => ({
  resource: { kind, id, canaryId: null, above: [], labels: {} },
  environment: () => ({}),
});

const isKind = (kind: string | null): kind is SilencedKind => SILENCED_KINDS.some((known) => known === kind);

async function countHidden(silence: Silence, history: RowTable, { things, ask, pause, nowMs }: SilenceWork) {
  const counts = { hidden: 0, total: 0, unknown: 0 };
  for (const slot of history.takenSlots()) {
    await pause();
    const atMs = Date.parse(asText(history.valueAt(slot, 'created_at')) ?? '');
    if (!(atMs >= nowMs - PREVIEW_MS) || !TOLD.has(history.valueAt(slot, 'status'))) continue;
    counts.total += 1;
    if (silence.recurrence.length > 0 && !isInOperation(silence.recurrence, atMs)) continue;
    const event = asText(history.valueAt(slot, 'source_event')) ?? '';
    const kind = event.split('.')[0] ?? null;
    if (!isKind(kind)) continue;
    const id = asText(history.valueAt(slot, 'resource_id')) ?? '';
    const verdict = verdictOf(silence, things.get(kind, id) ?? bare(kind, id), { ask, event });
    if (verdict === 'yes') counts.hidden += 1;
    if (verdict === 'unknown') counts.unknown += 1;
  }
  return counts;
}

/** A silence over the last seven days, as if it had been there; its start and end play no part. */
export async function previewOf(
  silence: Silence,
  history: RowTable,
  work: SilenceWork,
): Promise<SilencePreview> {
  const covers = { check: 0, config: 0, component: 0 };
  const { hidden, total, unknown: unread } = await countHidden(silence, history, work);
  let unknown = unread;
  for (const kind of kindsOf(silence)) {
    for (const thing of work.things.all(kind)) {
      await work.pause();
      const verdict = verdictOf(silence, thing, { ask: work.ask, event: null });
      if (verdict === 'yes') covers[kind] += 1;
      if (verdict === 'unknown') unknown += 1;
    }
  }
  return { isLoaded: true, hidden, total, covers, unknown };
}

/** Of a kind, what is silent now, and until when; of several silences, until the last of them ends. */
export async function silencedNow(
  silences: readonly Silence[],
  kind: SilencedKind,
  { things, ask, pause, nowMs }: SilenceWork,
): Promise<SilencedUntil> {
  const until: Record<string, number> = {};
  for (const silence of silences) {
    if (!isActive(silence, nowMs) || !kindsOf(silence).includes(kind)) continue;
    const untilMs = silentUntilMs(silence, nowMs);
    for (const thing of things.all(kind)) {
      await pause();
      if (verdictOf(silence, thing, { ask, event: null }) !== 'yes') continue;
      const { id } = thing.resource;
      until[id] = Math.max(until[id] ?? 0, untilMs);
    }
  }
  return until;
}
