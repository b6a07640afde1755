/**
 * Sends what the outbox keeps, in order and for as long as it is the sender (design §4 laws 4, 6, 8, 9, 12).
 * Invariants: a command has its number, durably, before it leaves; one batch is on its way at a time; what has no
 * answer goes again under the same number; nothing is ever taken out by a retry rule; stopping at any await loses
 * nothing and doubles nothing, because the next sender finds everything in the outbox. It knows the server only
 * through its carrier, and holds in memory nothing but how long to wait.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { OutboxItem, OutboxPause } from '../../../src/contract/outbox/outbox.ts';
import { backoffMs } from '../network/backoff.ts';
import { HttpFailure } from '../network/http-client.ts';
import type { SyncPlatform } from '../platform.ts';
import type { CommandTransport, Delivery } from './transport/command-transport.ts';
import type { Outbox } from './outbox.ts';
import { heldForMs, isAcceptedWithoutCursor, isExpired, pickBatch, refusedHere } from './outbox-rules.ts';
import type { NumberedBatch, Settlement } from './outbox-port.ts';
import { Pacer } from './pacer.ts';
import { FencedError } from './storage/storage-error.ts';

export interface SenderParts {
  platform: Pick<SyncPlatform, 'elapsed' | 'random' | 'later' | 'report'>;
  outbox: Outbox;
  transport: CommandTransport;
  serverNow: () => number;
  /** What the pages verified; while false nothing is tried, `wake` tells of the change. */
  isDeviceOnline: () => boolean;
  onUnauthorized: () => void;
  /** Nothing is left to send, and a server without a log has accepted something: only a pull will show it. */
  onAwaitingPull: () => void;
  /** The server did something that this device has not seen yet. */
  onAccepted: () => void;
}

interface Run {
  epoch: number;
  signal: AbortSignal;
}

/** From here on the backoff is doubled: at most once in 30 s on average. */
const MANY_FAILURES = 6;
/** Statuses that say that the request itself is wrong. */
const WRONG_REQUEST = new Set([400, 413, 422]);
const FORBIDDEN = 403;
const EXPECTED_CODES = new Set(['network', 'timeout', 'rate_limited', 'server', 'bad_payload']);

/** One in each worker; it sends while `run` does, and at most one of the origin runs. */
export class Sender {
  private readonly parts: SenderParts;
  private readonly pacer: Pacer;
  /** Until when (ms, monotonic) an item waits after the server failed at it. */
  private readonly holds = new Map<number, number>();
  /** Tries in a row that brought nothing. */
  private failures = 0;
  /** True after a batch was refused as a whole, to find the one that it was for. */
  private isSingly = false;

  constructor(parts: SenderParts) {
    this.parts = parts;
    this.pacer = new Pacer(parts.platform);
  }

  /** The network or the user came back: try now, also what waits after a failure. */
  wake(): void {
    this.holds.clear();
    this.pacer.wake();
  }

  /** Sends until the signal aborts or another worker has become the sender; `epoch` comes from `outbox.claim`. */
  async run(signal: AbortSignal, epoch: number): Promise<void> {
    const stop = this.parts.outbox.onChange(() => this.pacer.notice());
    try {
      while (!signal.aborted) await this.guarded({ epoch, signal });
    } catch (error) {
      if (!(error instanceof FencedError)) throw error;
    } finally {
      stop();
    }
  }

  /** A turn whose failure handling failed as well (the database is in trouble) is not the end of sending. */
  private async guarded(run: Run): Promise<void> {
    try {
      await this.turn(run);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      this.parts.platform.report(error);
      this.failures += 1;
      await this.backOff(null, run.signal);
    }
  }

  private async turn(run: Run): Promise<void> {
    let batch: NumberedBatch | null = null;
    this.pacer.begin();
    try {
      batch = await this.next(run);
      if (batch === null) return;
      const delivery = await this.parts.transport.deliver(batch, run.signal);
      await this.note(batch, delivery, run);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      if (!run.signal.aborted) await this.handle(error, batch, run);
    }
  }

  /** What is sent now; null after waiting because nothing can be. */
  private async next({ epoch, signal }: Run): Promise<NumberedBatch | null> {
    const { outbox, transport, serverNow, isDeviceOnline } = this.parts;
    if (!isDeviceOnline()) {
      // What can't leave gets no number, so that it may still be taken back.
      outbox.setPause('offline');
      await this.pacer.rest({ delayMs: null, endsOn: 'wake' }, signal);
      return null;
    }
    let items = await outbox.items();
    if (items.some((item) => isExpired(item, serverNow()))) {
      await outbox.expire(epoch);
      items = await outbox.items();
    }
    const limit = this.isSingly ? 1 : transport.limit;
    const pick = pickBatch(items, { isHeld: (item) => this.isHeld(item), limit });
    if (pick.kind === 'renumber') {
      await outbox.newDevice(epoch);
      return null;
    }
    if (pick.orders.length === 0) {
      this.isSingly = false;
      // Nothing can be sent, so nothing is held up: what stopped an earlier try says nothing of now.
      outbox.setPause(null);
      if (items.some(isAcceptedWithoutCursor)) this.parts.onAwaitingPull();
      await this.pacer.rest({ delayMs: this.untilHoldEnds(items), endsOn: 'news' }, signal);
      return null;
    }
    const batch = await outbox.number(pick.orders, epoch);
    return batch.items.length === 0 || signal.aborted ? null : batch;
  }

  private async note(batch: NumberedBatch, delivery: Delivery, run: Run): Promise<void> {
    const { outbox, platform } = this.parts;
    const { settlements, isOutOfStep, failure } = delivery;
    const failed = new Set(settlements.filter((one) => one.failed === true).map(({ order }) => order));
    for (const { order, failures } of batch.items) {
      if (failed.has(order)) this.holds.set(order, platform.elapsed() + this.delayAfter(failures + 1));
      else this.holds.delete(order);
    }
    await outbox.settle(settlements, run.epoch);
    if (settlements.some(({ state }) => state.kind === 'accepted')) this.parts.onAccepted();
    const hasProgress = settlements.some(({ state }) => state.kind !== 'kept');
    if (hasProgress) this.failures = 0;
    if (failure === undefined) outbox.setPause(null);
    if (isOutOfStep) await this.startAnew(run, hasProgress);
    if (failure !== undefined) throw failure;
  }

  /** Once at once; a server that never agrees on a number is not asked without a pause. */
  private async startAnew(run: Run, hasProgress: boolean): Promise<void> {
    await this.parts.outbox.newDevice(run.epoch);
    if (!hasProgress) this.failures += 1;
    if (this.failures > 1) await this.backOff(null, run.signal);
  }

  private async handle(error: unknown, batch: NumberedBatch | null, run: Run): Promise<void> {
    const { outbox, platform, onUnauthorized } = this.parts;
    const status = error instanceof AppError ? error.status : null;
    if (error instanceof AppError && error.code === 'unauthorized') {
      outbox.setPause('signed-out');
      onUnauthorized();
      await this.pacer.rest({ delayMs: null, endsOn: 'wake' }, run.signal);
      return;
    }
    if (status !== null && WRONG_REQUEST.has(status) && batch !== null) {
      await this.single(error, batch, run);
      return;
    }
    if (status === FORBIDDEN) {
      await this.startAnew(run, false);
      return;
    }
    const isExpected = error instanceof AppError && EXPECTED_CODES.has(error.code);
    if (isExpected) outbox.setPause(this.pauseNow());
    else platform.report(error);
    this.failures += 1;
    await this.backOff(error instanceof HttpFailure ? error.retryAfterMs : null, run.signal);
  }

  /** A request that is wrong as a whole stays wrong: find out whose fault it is, and tell its author. */
  private async single(error: unknown, batch: NumberedBatch, run: Run): Promise<void> {
    const [item] = batch.items;
    if (batch.items.length > 1 || item === undefined) {
      this.isSingly = true;
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    const state = refusedHere('invalid', message, this.parts.serverNow());
    const settlement: Settlement = { order: item.order, state };
    await this.parts.outbox.settle([settlement], run.epoch);
    // The server has not used the number, so those after it would leave a gap.
    await this.parts.outbox.newDevice(run.epoch);
  }

  private async backOff(retryAfterMs: number | null, signal: AbortSignal): Promise<void> {
    // What the server asked for is waited out whatever happens; the rest keeps many from coming at once.
    if (retryAfterMs !== null) await this.pacer.rest({ delayMs: retryAfterMs, endsOn: 'nothing' }, signal);
    await this.pacer.rest({ delayMs: this.delayAfter(this.failures), endsOn: 'wake' }, signal);
  }

  private delayAfter(failures: number): number {
    const delayMs = backoffMs(failures, () => this.parts.platform.random(), null);
    return failures > MANY_FAILURES ? delayMs * 2 : delayMs;
  }

  private pauseNow(): OutboxPause {
    return this.parts.isDeviceOnline() ? 'server-unreachable' : 'offline';
  }

  private isHeld(item: OutboxItem): boolean {
    return this.heldMs(item) > 0;
  }

  /** After a failure of the server, or because its author may still take it back, which a failure doesn't shorten. */
  private heldMs(item: OutboxItem): number {
    const { platform, serverNow } = this.parts;
    const untilMs = this.holds.get(item.order) ?? 0;
    const isUnsent = item.state.kind === 'kept' && item.state.mayHaveArrived !== true;
    return Math.max(0, untilMs - platform.elapsed(), isUnsent ? heldForMs(item, serverNow()) : 0);
  }

  /** Null when nothing waits for a moment. */
  private untilHoldEnds(items: readonly OutboxItem[]): number | null {
    const waits = items.map((item) => this.heldMs(item)).filter((waitMs) => waitMs > 0);
    return waits.length === 0 ? null : Math.min(...waits);
  }
}
