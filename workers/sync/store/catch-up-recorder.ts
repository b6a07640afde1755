/**
 * Notes what this device showed when it went away and, when everything is in again, what became of it. Owns the
 * card until the user puts it away; it survives reloads. Doesn't know how rows are kept.
 */
import { z } from 'zod';
import type { CatchUpCard } from '../../../src/contract/worker.ts';
import { catchUpOf, isQuiet, type CatchUpState } from '../../../src/domain/sync/catch-up.ts';
import type { KeyValue } from '../../store/key-value.ts';

/** Shorter absences are told by the screen itself. */
const AWAY_MS = 5 * 60_000;
const CARD = 'catchUp';

const named = z.object({ id: z.string(), name: z.string() });
const cardSchema = z.object({
  fromMs: z.number(),
  toMs: z.number(),
  newlyUnhealthy: z.array(named),
  recovered: z.array(named),
  incidents: z.array(
    z.object({
      id: z.string(),
      incidentId: z.string(),
      title: z.string(),
      change: z.enum(['opened', 'mitigated', 'resolved', 'closed', 'reopened']),
    }),
  ),
  comments: z.array(
    z.object({ id: z.string(), incidentId: z.string(), by: z.string().nullable(), text: z.string() }),
  ),
}) satisfies z.ZodType<CatchUpCard>;

export interface CatchUpRecorderParts {
  meta: Pick<KeyValue, 'get' | 'set' | 'delete'>;
  userId: string;
  /** Server clock, ms. */
  now: () => number;
  /** What is kept at this moment. */
  load: () => Promise<CatchUpState>;
}

/** One for a user's store. */
export class CatchUpRecorder {
  private readonly parts: CatchUpRecorderParts;
  private readonly listeners = new Set<(card: CatchUpCard | null) => void>();
  private left: { fromMs: number; state: CatchUpState } | null = null;
  private card: CatchUpCard | null = null;

  constructor(parts: CatchUpRecorderParts) {
    this.parts = parts;
  }

  /** Shows the card that an earlier visit left. */
  async restore(): Promise<void> {
    const parsed = cardSchema.safeParse(await this.parts.meta.get(CARD));
    if (parsed.success && this.card === null) this.show(parsed.data);
  }

  subscribe(listener: (card: CatchUpCard | null) => void): () => void {
    this.listeners.add(listener);
    listener(this.card);
    return () => this.listeners.delete(listener);
  }

  /** Call before the first rows after a silence are written. */
  async leave(asOfMs: number): Promise<void> {
    if (this.left !== null || this.parts.now() - asOfMs < AWAY_MS) return;
    this.left = { fromMs: asOfMs, state: await this.parts.load() };
  }

  /** Call when everything is in. */
  async comeBack(): Promise<void> {
    const { left } = this;
    if (left === null) return;
    this.left = null;
    const { now, load, userId, meta } = this.parts;
    const found = catchUpOf(left.state, await load(), userId);
    if (isQuiet(found)) return;
    const card = { ...found, fromMs: left.fromMs, toMs: now() };
    await meta.set(CARD, card);
    this.show(card);
  }

  async dismiss(): Promise<void> {
    await this.parts.meta.delete(CARD);
    this.show(null);
  }

  private show(card: CatchUpCard | null): void {
    this.card = card;
    for (const listener of this.listeners) listener(card);
  }
}
