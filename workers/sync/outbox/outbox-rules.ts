/**
 * What the outbox decides about its items, without knowing where they are kept or how they are sent: what a
 * refusal blocks (law 6, 8), what has come too late (law 9), and what may go next (law 8).
 */
import type { OutboxItem, OutboxState } from '../../../src/contract/outbox/outbox.ts';
import { isAtOrAfter, type Cursor } from '../../../src/contract/sync.ts';
import { MESSAGES } from './messages.ts';

type Refused = Extract<OutboxState, { kind: 'refused' }>;

/** A refusal that this device makes itself. */
export function refusedHere(code: Refused['code'], message: string, atMs: number): Refused {
  return { kind: 'refused', code, message, current: null, atMs };
}

function touchesAny(item: OutboxItem, ids: ReadonlySet<string>): boolean {
  return item.touches.some((id) => ids.has(id));
}

function isUnsent(item: OutboxItem): boolean {
  return item.state.kind === 'kept' && item.state.mayHaveArrived !== true;
}

/** What may have arrived is not dropped: the server says what became of it. */
export function mayBeDropped({ state }: OutboxItem): boolean {
  return state.kind === 'refused' || (state.kind === 'kept' && state.mayHaveArrived !== true);
}

/** Done on a server without a feed: seen with the next complete pull. */
export function isAcceptedWithoutCursor({ state }: OutboxItem): boolean {
  return state.kind === 'accepted' && state.position === null;
}

/** True when a feed that has come to `cursor` has brought what was done. */
export function isPassed(state: OutboxState, cursor: Cursor): boolean {
  return state.kind === 'accepted' && state.position !== null && isAtOrAfter(cursor, state.position);
}

/** The server was asked too early: what the item belongs to had just been refused. */
function isGone(item: OutboxItem): boolean {
  return item.state.kind === 'refused' && item.state.code === 'gone';
}

/** Items whose state changes because what makes their entity was refused, however far down; others go on. */
export function blockedBy(items: readonly OutboxItem[], atMs: number): OutboxItem[] {
  const missing = new Set<string>();
  const blocked: OutboxItem[] = [];
  for (const item of items) {
    const isBlocked = (isUnsent(item) || isGone(item)) && touchesAny(item, missing);
    if (isBlocked) blocked.push({ ...item, state: refusedHere('blocked', MESSAGES.blocked, atMs) });
    if (isBlocked || item.state.kind === 'refused') for (const id of item.creates) missing.add(id);
  }
  return blocked;
}

/** Blocked items that wait for this refused one, in order. */
export function dependantsOf(root: OutboxItem, items: readonly OutboxItem[]): OutboxItem[] {
  const made = new Set(root.creates);
  const found: OutboxItem[] = [];
  for (const item of items) {
    const isBlocked = item.state.kind === 'refused' && item.state.code === 'blocked';
    if (item.order <= root.order || !isBlocked || !touchesAny(item, made)) continue;
    found.push(item);
    for (const id of item.creates) made.add(id);
  }
  return found;
}

/** True when it must not be sent any more. What may have arrived is asked for all the same: it may have run. */
export function isExpired(item: OutboxItem, serverNowMs: number): boolean {
  return isUnsent(item) && item.expiresAt !== null && Date.parse(item.expiresAt) <= serverNowMs;
}

/** Arguments for doing it again: a status is set from the one that the server has now. */
export function argsOnTop(item: OutboxItem, current: Readonly<Record<string, unknown>>): unknown {
  const isFromStatus = item.name === 'set_incident_status' && typeof current.status === 'string';
  if (!isFromStatus || typeof item.args !== 'object') return item.args;
  return { ...item.args, from: current.status };
}

/** No hold is longer: a clock that was put back must not keep a command here. */
const LONGEST_HOLD_MS = 12_000;

/** How long it is still held back by its author, ms; 0 for not at all. */
export function heldForMs({ heldUntilMs }: OutboxItem, serverNowMs: number): number {
  const leftMs = (heldUntilMs ?? 0) - serverNowMs;
  return leftMs > 0 && leftMs <= LONGEST_HOLD_MS ? leftMs : 0;
}

export type Pick =
  /** Orders to send, in the order of sending; none when everything waits. */
  | { kind: 'send'; orders: number[] }
  /** Numbers were given in an order that can't be kept any more: give them anew. */
  | { kind: 'renumber' };

export interface PickRules {
  /** Items that wait after a failure of the server, or that their author may still take back. */
  isHeld: (item: OutboxItem) => boolean;
  limit: number;
}

/**
 * What goes next. What has a number goes first, so that there is no gap. An item waits while an earlier one that
 * shares an entity with it is held.
 */
export function pickBatch(items: readonly OutboxItem[], { isHeld, limit }: PickRules): Pick {
  const waiting = new Set<string>();
  const unnumbered = new Set<string>();
  const sent: { order: number; seq: number }[] = [];
  const fresh: number[] = [];
  for (const item of items) {
    const { state } = item;
    if (state.kind === 'sent') {
      if (touchesAny(item, unnumbered)) return { kind: 'renumber' };
      sent.push({ order: item.order, seq: state.seq });
    }
    if (state.kind !== 'kept') continue;
    const mustWait = isHeld(item) || touchesAny(item, waiting);
    if (mustWait) for (const id of item.touches) waiting.add(id);
    else fresh.push(item.order);
    for (const id of item.touches) unnumbered.add(id);
  }
  const inTurn = sent.toSorted((a, b) => a.seq - b.seq).map(({ order }) => order);
  return { kind: 'send', orders: [...inTurn, ...fresh].slice(0, limit) };
}
