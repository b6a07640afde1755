/**
 * Keeps one user's store in step with the server while it leads, and says how it is for the connectivity chip.
 * Invariants: offline is a state, not an error; a successful answer outweighs any hint; `asOfMs` only ever
 * names a moment at which everything kept here was known to be complete, by the server's time, and none to come.
 */
import { errorFacts } from '../../../src/contract/errors.ts';
import { HEARTBEAT_MS, type Capabilities, type Cursor } from '../../../src/contract/sync.ts';
import { backoffMs } from '../network/backoff.ts';
import { discoverCapabilities } from '../network/discover.ts';
import type { EngineParts } from './engine-parts.ts';
import { EventFeed } from '../network/event-feed.ts';
import { HttpFailure } from '../network/http-client.ts';
import { AS_OF } from '../status/last-contact.ts';
import { LineProbe } from '../network/line-probe.ts';
import type { Dialect } from '../pull/dialect.ts';
import type { PullJob } from './pull-queue.ts';
import { noteFailure } from '../status/status-clock.ts';
import { storageFailureOf } from '../../store/storage-failure.ts';

const TIDY_EVERY_MS = 10 * 60_000;
const VERIFY_ALL_EVERY_MS = 10 * 60_000;
/** What is kept is being read and painted before. */
const FIRST_VERIFY_ALL_MS = 30_000;
const PERSIST_EVERY_MS = 5000;
/** For the first rows of a warm start; a refresh lifts it. */
const HEAD_START_MS = 400;
/** Without events and without a rate, someone may still look at a page that says how old it is. */
const DEFAULT_EXPECT_MS = 60_000;

/** First load, what the stream brings, pulls by the clock: one thing at a time writes the store. */
export class SyncEngine {
  private readonly parts: EngineParts;
  private capabilities: Capabilities | null = null;
  private isFeedOpen = false;
  private failures = 0;
  private persistedAtMs = Number.NEGATIVE_INFINITY;
  private onKnown = () => {};
  private tidiedAtMs = Number.NEGATIVE_INFINITY;
  private verifiedAtMs = Number.NEGATIVE_INFINITY;
  /** Where the store stands; known after the first pull. */
  private here: Cursor | null = null;
  private pulling: AbortController | null = null;
  /** Where workers stood that were replaced, until a pull has gone back there. */
  private readonly rewinds: Cursor[] = [];

  private feed: EventFeed | null = null;
  private readonly probe: LineProbe;

  constructor(parts: EngineParts) {
    this.parts = parts;
    const onAnswer = () => {
      parts.onLineBack();
      this.feed?.reopen();
    };
    this.probe = new LineProbe({ ...parts, onAnswer });
  }

  canSumRanges(): boolean {
    return this.capabilities?.summary_range === true;
  }

  /** Asks again now; what still runs is given up. */
  refresh(): void {
    this.pulling?.abort();
    this.parts.queue.holdFor(null);
    this.parts.queue.requestAll();
  }

  /** True while the server's stream is open. */
  isListening(): boolean {
    return this.isFeedOpen;
  }

  canCommand(): boolean {
    return this.capabilities?.commands === true;
  }

  /** Resolves when it is known what the server can, or when the signal aborts. */
  whenKnown(signal: AbortSignal): Promise<void> {
    if (this.capabilities !== null || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.onKnown = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Up to where this worker made everything durable. */
  place(): Cursor | null {
    return this.here;
  }

  /** Reads again from there; in turn, so that no pull that runs now moves the cursor on after it. */
  rewind(cursor: Cursor): void {
    this.rewinds.push(cursor);
    this.parts.queue.requestAll();
  }

  /** Everything up to here is durable. */
  moved(cursor: Cursor): void {
    this.here = cursor;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, dialects } = this.parts;
    this.takeOver();
    // What is kept is being read and painted now; reading it here as well would slow both down.
    const isWarm = (await dialects.log.isWhole()) || (await dialects.plain.isWhole());
    if (isWarm) queue.holdFor(HEAD_START_MS);
    while (!signal.aborted) {
      const job = queue.take();
      if (job === null) {
        if (this.failures === 0 && (await this.background(signal))) continue;
        await queue.wait(signal);
        continue;
      }
      const isDone = await this.attempt(job, signal);
      if (isDone && this.feed === null && this.capabilities?.events === true) this.follow(signal);
    }
    this.pulling?.abort();
    this.probe.end();
    this.feed = null;
    this.isFeedOpen = false;
  }

  /** Whoever led meanwhile wrote the store: nothing that this worker remembers of it holds any more. */
  private takeOver(): void {
    const { queue, dialects, collections, platform } = this.parts;
    this.here = null;
    this.failures = 0;
    dialects.log.reload();
    collections.reload();
    this.parts.vouch.reload();
    this.verifiedAtMs = platform.elapsed() - VERIFY_ALL_EVERY_MS + FIRST_VERIFY_ALL_MS;
    queue.holdFor(null);
    queue.requestAll();
  }

  private dialect(): Dialect {
    const { dialects } = this.parts;
    return this.capabilities?.change_log === true ? dialects.log : dialects.plain;
  }

  private follow(signal: AbortSignal): void {
    const { platform, queue, board, clock, onUnauthorized } = this.parts;
    this.feed = new EventFeed(platform, signal, {
      cursor: () => this.here,
      onOpen: () => {
        this.isFeedOpen = true;
        board.patch({ expectMs: HEARTBEAT_MS });
        // Without a log nobody says what was missed while nobody listened.
        if (this.here === null) queue.requestAll();
      },
      onChanges: (event) => {
        clock.observePushed(Date.parse(event.server_time));
        queue.requestPushed(event);
      },
      onHeartbeat: (serverMs, cursor) => {
        clock.observePushed(serverMs);
        const isIdle = this.failures === 0 && this.pulling === null && !queue.hasWork();
        if (!isIdle) return;
        if (cursor === null || cursor === this.here) this.confirm(Math.min(serverMs, clock.now()));
        else queue.requestAll();
      },
      onSignedOut: onUnauthorized,
      onLost: (isSilent, isFirst) => {
        if (isSilent) this.probe.begin(signal);
        if (!isFirst) return;
        this.isFeedOpen = false;
        if (board.get().connection === 'live') board.patch({ connection: 'polling' });
        queue.requestAll();
      },
    });
  }

  private async attempt(job: PullJob, signal: AbortSignal): Promise<boolean> {
    const { clock, platform, queue, onChanged } = this.parts;
    this.pulling = new AbortController();
    const startedMs = platform.elapsed();
    const wasDown = this.failures > 0;
    try {
      const changed = await this.perform(job, AbortSignal.any([signal, this.pulling.signal]));
      this.failures = 0;
      queue.holdFor(null);
      this.confirm(clock.certain() - (platform.elapsed() - startedMs));
      if (wasDown) this.feed?.reopenAfterOutage();
      if (wasDown || changed.length > 0) onChanged(wasDown ? [] : changed);
      return true;
    } catch (error) {
      this.fail(error, signal);
      return false;
    } finally {
      this.pulling = null;
      this.parts.board.patch({ isPulling: false, firstLoad: null });
    }
  }

  private async perform(job: PullJob, signal: AbortSignal): Promise<string[]> {
    const { collections, board, platform, onBeforePull, onCaughtUp } = this.parts;
    if (job.kind === 'pushed') {
      const changed = await this.dialect().push(job.pushed, signal);
      await collections.followUp(changed, signal);
      return changed;
    }
    board.patch({ isPulling: true });
    if (this.capabilities === null) await this.discover(signal);
    this.onKnown();
    const dialect = this.dialect();
    if (dialect !== this.parts.dialects.log) await this.parts.dialects.log.forget();
    await this.verify();
    await this.goBack();
    if (!(await dialect.isWhole())) {
      board.patch({ firstLoad: 0 });
      await dialect.firstLoad(signal, (done) => board.patch({ firstLoad: done ?? 0 }));
    }
    const { asOfMs } = board.get();
    if (asOfMs !== null) await onBeforePull(asOfMs);
    const changed = await dialect.pull(signal);
    this.here = await dialect.cursor();
    await collections.followUp('all', signal);
    if (this.canSumRanges()) await collections.pullSummary(signal);
    if (platform.elapsed() - this.tidiedAtMs > TIDY_EVERY_MS) {
      this.tidiedAtMs = platform.elapsed();
      collections.tidyLater();
    }
    await onCaughtUp();
    return changed;
  }

  /** What was lost is found out before anything is put on top of it. All that is kept is read only now and then. */
  private async verify(): Promise<void> {
    const { platform, vouch } = this.parts;
    const isThorough = platform.elapsed() - this.verifiedAtMs >= VERIFY_ALL_EVERY_MS;
    await vouch.verify({ isThorough });
    if (isThorough) this.verifiedAtMs = platform.elapsed();
  }

  private async goBack(): Promise<void> {
    // Each only ever goes farther back; one that fails stays for the next pull.
    while (this.rewinds[0] !== undefined) {
      await this.parts.dialects.log.rewind(this.rewinds[0]);
      this.rewinds.shift();
    }
  }

  private async discover(signal: AbortSignal): Promise<void> {
    const { board } = this.parts;
    this.capabilities = await discoverCapabilities(this.parts, signal);
    const { version } = this.capabilities;
    board.patch({ versions: { ...board.get().versions, server: version === '' ? null : version } });
  }

  private confirm(asOfMs: number): void {
    const { board, clock, meta, platform, queue } = this.parts;
    this.probe.end();
    const newest = Math.min(Math.max(asOfMs, board.get().asOfMs ?? 0), clock.certain());
    board.patch({
      connection: this.isFeedOpen ? 'live' : 'polling',
      downSinceMs: null,
      lastError: null,
      asOfMs: newest,
      freshness: 'fresh',
      expectMs: this.isFeedOpen ? HEARTBEAT_MS : (queue.intervalMs() ?? DEFAULT_EXPECT_MS),
    });
    if (platform.elapsed() - this.persistedAtMs < PERSIST_EVERY_MS) return;
    this.persistedAtMs = platform.elapsed();
    meta.set(AS_OF, newest).catch((error: unknown) => platform.report(error));
  }

  private fail(error: unknown, signal: AbortSignal): void {
    const { board, clock, platform, queue, isDeviceOnline, onUnauthorized } = this.parts;
    if (signal.aborted) return;
    const failure = storageFailureOf(error) ?? error;
    const { code } = errorFacts(failure);
    if (code === 'cancelled') return;
    // Perhaps it is another server now, which can do less: ask it again.
    if (code === 'not_found') this.capabilities = null;
    this.failures += 1;
    const retryAfterMs = error instanceof HttpFailure ? error.retryAfterMs : null;
    queue.requestAll();
    queue.holdFor(backoffMs(this.failures, () => platform.random(), retryAfterMs));
    if (code === 'unauthorized') {
      onUnauthorized();
      return;
    }
    if (code === 'timeout') this.probe.begin(signal);
    noteFailure(board, failure, { isDeviceOnline: isDeviceOnline(), nowMs: clock.now() });
    if (code === 'unknown') platform.report(error);
    if (code === 'storage') this.parts.onBroken(error);
  }

  private async background(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.parts.collections.background(signal);
    } catch (error) {
      this.fail(error, signal);
      return true;
    }
  }
}
