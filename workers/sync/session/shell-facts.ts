/**
 * Feature flags and the kind of deployment, for the pages' shells. It asks while a page listens: at first, every
 * five minutes (the contract's stale time, spec 1 §9), and at once when the feed brings a flag or a person. With
 * each later look the roles are read again, too: they are never kept beyond that (spec 1 §6).
 */
import { AppError, errorFacts, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { propertiesSchema, type ShellFacts } from '../../../src/contract/http/shell.ts';
import { capabilitiesSchema } from '../../../src/contract/sync.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { Stop } from '../api.ts';
import { backoffMs } from '../network/backoff.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { SyncPlatform } from '../platform.ts';

const STALE_MS = 300_000;

/**
 * A whole snapshot brings all flags and people, changed or not: asked for this shortly before, they are not asked for
 * again. What changed in between is seen at the next look, within the stale time.
 */
const FRESH_MS = 5_000;

const PROPERTY = 'property:';

/** Feature flags are rows of the feed, and so are the people whose roles are read with them. */
function concernsShell({ collection, isReset, upserts, deletedIds }: StoreChange): boolean {
  if (collection !== 'resources') return false;
  const isShells = (row: unknown) => isRecord(row) && (row.kind === 'property' || row.kind === 'person');
  return isReset || upserts.some(isShells) || deletedIds.some((id) => id.startsWith(PROPERTY));
}

export interface ShellFactsParts {
  platform: Pick<SyncPlatform, 'elapsed' | 'later' | 'random' | 'report'>;
  http: HttpClient;
  onUnauthorized: () => void;
  /** Reads the signed-in user's roles again. */
  onLookAgain: () => Promise<void>;
}

type Listener = (facts: ShellFacts) => void;

async function readProperties(http: HttpClient, signal: AbortSignal): Promise<ShellFacts['properties']> {
  const parsed = propertiesSchema.safeParse(await http.json({ path: '/api/properties', signal }));
  if (parsed.success) return parsed.data;
  throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: parsed.error, retryable: true });
}

type Deployment = Pick<ShellFacts, 'isChecksOnly' | 'hasClusterProxy'>;

/** A backend without our extras is never health-only; what it passes on to clusters it doesn't say. */
async function readDeployment(http: HttpClient, signal: AbortSignal): Promise<Deployment> {
  try {
    const body = await http.json({ path: '/api/capabilities', signal });
    const { checks_only: isChecksOnly, cluster_proxy: hasClusterProxy } = capabilitiesSchema.parse(body);
    return { isChecksOnly, hasClusterProxy };
  } catch (error) {
    if (errorFacts(error).code === 'not_found') return { isChecksOnly: false, hasClusterProxy: true };
    throw error;
  }
}

/** One for the worker. */
export class ShellFactsStore {
  private readonly parts: ShellFactsParts;
  private readonly listeners = new Set<Listener>();
  private known: ShellFacts | null = null;
  private running: AbortController | null = null;
  private wake = () => {};
  /** Something changed while it was being asked: the answer may be older than that. */
  private isAskedAgain = false;
  /** When the server was asked last, on the platform's own clock. */
  private askedAtMs = -Infinity;

  constructor(parts: ShellFactsParts) {
    this.parts = parts;
  }

  /** Tells what is known of this user's deployment, now if it is, and whenever it was asked again. */
  follow(storeName: string, listener: Listener): Stop {
    this.listeners.add(listener);
    if (this.known?.storeName === storeName) listener(this.known);
    if (this.running === null) {
      this.running = new AbortController();
      void this.run(storeName, this.running.signal);
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.running?.abort();
      this.running = null;
      this.wake();
    };
  }

  /** Rows came in: flags or people among them may have changed. */
  noteStored(change: StoreChange): void {
    if (!concernsShell(change)) return;
    const isFresh = this.parts.platform.elapsed() - this.askedAtMs < FRESH_MS;
    if (!change.isReset || !isFresh) this.renew();
  }

  /** They may have changed. */
  renew(): void {
    this.isAskedAgain = true;
    this.wake();
  }

  private async run(storeName: string, signal: AbortSignal): Promise<void> {
    let failures = 0;
    let isFirst = true;
    while (!signal.aborted) {
      this.isAskedAgain = false;
      try {
        if (!isFirst) await this.parts.onLookAgain();
        signal.throwIfAborted();
        await this.load(storeName, signal);
        failures = 0;
        isFirst = false;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.note(error);
      }
      await this.pause(
        failures === 0 ? STALE_MS : backoffMs(failures, () => this.parts.platform.random(), null),
      );
    }
  }

  private async load(storeName: string, signal: AbortSignal): Promise<void> {
    const { http, platform } = this.parts;
    this.askedAtMs = platform.elapsed();
    const [properties, deployment] = await Promise.all([
      readProperties(http, signal),
      readDeployment(http, signal),
    ]);
    if (signal.aborted) return;
    const now = { storeName, properties, ...deployment };
    if (JSON.stringify(now) === JSON.stringify(this.known)) return;
    this.known = now;
    for (const listener of this.listeners) listener(this.known);
  }

  private note(error: unknown): void {
    const { code } = errorFacts(error);
    if (code === 'unauthorized') this.parts.onUnauthorized();
    if (code === 'unknown') this.parts.platform.report(error);
  }

  private pause(delayMs: number): Promise<void> {
    if (this.isAskedAgain) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.wake = () => {};
        resolve();
      };
      const cancel = this.parts.platform.later(delayMs, end);
      this.wake = end;
    });
  }
}
