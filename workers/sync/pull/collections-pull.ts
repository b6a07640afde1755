/** All collections of one user: which to pull for which tables, and what to do when nothing else is to be done. */
import { summarySchema } from '../../../src/contract/http/canary.ts';
import type { TimeRange } from '../../../src/domain/time/ranges.ts';
import { summaryDocumentId, type CachedDocument, type SummaryBody } from '../../store/store-facts.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { Comparison } from '../log/comparison.ts';
import type { UserStore } from '../store/user-store.ts';
import type { CanariesPull } from './canaries-pull.ts';
import type { ChecksPull } from './checks-pull.ts';
import type { StatusesKeeper } from './statuses-keeper.ts';

/** Failing checks whose runs are fetched ahead at a time, so that chart and history are there offline. */
const AHEAD = 200;
/** Of so many with one question, whose address stays below what proxies take (4 KB). */
const AT_ONCE = 25;
/** Which checks fail is read from the store, which is much to read: not more often than this. */
const LOOK_EVERY_MS = 60_000;
const OWN_RANGE: TimeRange = '1h';

export interface CollectionsParts {
  store: UserStore;
  http: HttpClient;
  checks: ChecksPull;
  canaries: CanariesPull;
  statuses: StatusesKeeper;
  announce: Announce;
  serverNow: () => number;
  /** ms that only ever grow. */
  elapsed: () => number;
  /** Folds one collection's log; false when none has grown. */
  tidyReplicas: () => Promise<boolean>;
  comparison: Pick<Comparison, 'isReading' | 'next' | 'restart'>;
}

/** One for a store; one pull runs at a time. */
export class CollectionsPull {
  private readonly parts: CollectionsParts;
  /** Checks that someone has open, with how many times. */
  private readonly open = new Map<string, number>();
  private ahead: string[] = [];
  private nextLookMs = 0;
  /** Pages of those that are read now. */
  private reading: AsyncGenerator<void, void> | null = null;
  private isTidyDue = false;
  private summaryRange: TimeRange = OWN_RANGE;

  constructor(parts: CollectionsParts) {
    this.parts = parts;
  }

  isWhole(): Promise<boolean> {
    return this.parts.checks.isWhole();
  }

  firstLoad(signal: AbortSignal, onProgress: (done: number | null) => void): Promise<void> {
    return this.parts.checks.firstLoad(signal, onProgress);
  }

  /** Forgets what it knows of the store, because another worker may have written it. */
  reload(): void {
    this.parts.statuses.reload();
    this.parts.comparison.restart();
    this.ahead = [];
    this.nextLookMs = 0;
    this.reading = null;
  }

  setSummaryRange(range: TimeRange): void {
    this.summaryRange = range;
  }

  /** Marks a check as looked at: its runs are kept from now on. Returns how to stop following it live. */
  watch(checkId: string): () => void {
    this.open.set(checkId, (this.open.get(checkId) ?? 0) + 1);
    return () => {
      const left = (this.open.get(checkId) ?? 1) - 1;
      if (left === 0) this.open.delete(checkId);
      else this.open.set(checkId, left);
    };
  }

  async pullAll(signal: AbortSignal): Promise<string[]> {
    const changed = await this.parts.checks.pull(signal);
    await this.parts.canaries.pull(signal);
    return changed;
  }

  /** The runs of checks that somebody has open: of all after a timed pull, else of those that changed. */
  async followUp(changed: readonly string[] | 'all', signal: AbortSignal): Promise<void> {
    const wanted = changed === 'all' ? [...this.open.keys()] : changed.filter((id) => this.open.has(id));
    for (const checkId of wanted) await this.parts.statuses.pullCheck(checkId, signal);
    const isIdle = this.ahead.length === 0 && this.reading === null;
    if (changed === 'all' && isIdle) this.ahead = await this.queueAhead();
  }

  async sweep(signal: AbortSignal): Promise<string[]> {
    const changed = await this.parts.checks.sweep(signal);
    this.tidyLater();
    return changed;
  }

  /** Now and then: folds logs and forgets old runs. */
  tidyLater(): void {
    this.isTidyDue = true;
  }

  /** Uptime and latency over the range that is looked at, when it isn't the one that rows carry. */
  async pullSummary(signal: AbortSignal): Promise<void> {
    if (this.summaryRange === OWN_RANGE) return;
    const { http, store, announce, serverNow } = this.parts;
    const range = this.summaryRange;
    const asOfMs = serverNow();
    const path = `/api/canary/api/summary?start=${encodeURIComponent(range)}`;
    const summary = summarySchema.parse(await http.json({ path, signal }));
    const checks = summary.checks_summary.map(({ id, uptime, latency }) => ({ id, uptime, latency }));
    const body: SummaryBody = { checks };
    const document: CachedDocument = { id: summaryDocumentId(range), asOfMs, body };
    await store.documents.apply({ upserts: [document], deletedIds: [] });
    announce('documents', { upserts: [document] });
  }

  /** One small piece of work for a quiet moment; false when there is none. */
  async background(signal: AbortSignal): Promise<boolean> {
    if (await this.readAhead(signal)) return true;
    const { tidyReplicas, comparison } = this.parts;
    if (comparison.isReading()) return comparison.next(signal);
    if (!this.isTidyDue) return (await tidyReplicas()) || comparison.next(signal);
    this.isTidyDue = false;
    await this.parts.statuses.tidy();
    await this.parts.store.documents.tidy();
    return true;
  }

  /** A page of runs that nobody looks at yet: news waits for no more than one. False when there is none to read. */
  private async readAhead(signal: AbortSignal): Promise<boolean> {
    if (this.reading === null && this.ahead.length === 0) return false;
    const reading = (this.reading ??= this.parts.statuses.prefetch(this.ahead.splice(0, AT_ONCE), signal));
    // What fails is read again from its beginning, once it is due again.
    this.reading = null;
    const { done } = await reading.next();
    if (done !== true) this.reading = reading;
    return true;
  }

  /** Failing checks whose runs aren't here or were read a while ago; the newest failures first. */
  private async queueAhead(): Promise<string[]> {
    const { store, statuses, elapsed } = this.parts;
    if (elapsed() < this.nextLookMs) return [];
    this.nextLookMs = elapsed() + LOOK_EVERY_MS;
    const failing: { id: string; sinceMs: number }[] = [];
    for await (const checks of store.checks.loadParts()) {
      for (const { id, status, deleted_at: deleted, ...times } of checks) {
        const since = times.last_transition_time ?? times.created_at ?? '';
        if (status === 'unhealthy' && deleted === null) failing.push({ id, sinceMs: Date.parse(since) || 0 });
      }
    }
    const due: string[] = [];
    for (const { id } of failing.toSorted((a, b) => b.sinceMs - a.sinceMs)) {
      if (due.length === AHEAD) break;
      if (await statuses.isDue(id)) due.push(id);
    }
    return due;
  }
}
