/**
 * Who syncs, where each tab has a worker of its own (design §4 law 12): the one that holds the lock. It follows
 * visibility: a visible tab always wants to lead, a hidden one only while no tab is visible, because browsers
 * throttle and freeze hidden tabs. A leader that went silent is replaced by force; the outbox's sender epoch
 * keeps it from sending when it wakes (fencing). Knows nothing of what leading means.
 */
import { z } from 'zod';
import type { SyncPlatform } from '../platform.ts';

/** The lock that whoever syncs a store holds. */
export function leaderLockOf(storeName: string): string {
  return `${storeName}-leader`;
}

const BEAT_MS = 1000;
/** A tab that said nothing for this long is closed or frozen. */
const SILENT_AFTER_MS = 3500;

const peerSchema = z.object({
  type: z.literal('peer'),
  storeName: z.string(),
  peer: z.string(),
  isVisible: z.boolean(),
  isLeading: z.boolean(),
});

interface Peer {
  heardAtMs: number;
  isVisible: boolean;
  isLeading: boolean;
}

export interface LeaderParts {
  platform: Pick<SyncPlatform, 'elapsed' | 'later' | 'newId' | 'announce' | 'listen' | 'holdLock' | 'report'>;
  storeName: string;
  isVisible: boolean;
  /** Runs while this worker leads; must end soon after its signal aborts. */
  lead: (signal: AbortSignal) => Promise<void>;
}

/** One for a user in each worker; `lead` runs in at most one worker of the origin at a time. */
export class Leader {
  private readonly parts: LeaderParts;
  private readonly id: string;
  private readonly peers = new Map<string, Peer>();
  private isVisible: boolean;
  private isLeading = false;
  /** Ends what is going on now (waiting or leading), so that the loop decides anew. */
  private turn = new AbortController();

  constructor(parts: LeaderParts) {
    this.parts = parts;
    this.id = parts.platform.newId();
    this.isVisible = parts.isVisible;
  }

  /** Leads whenever it may, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { platform } = this.parts;
    const unlisten = platform.listen((message) => this.hear(message));
    const end = () => this.turn.abort();
    signal.addEventListener('abort', end);
    this.beat(signal);
    while (!signal.aborted) await this.takeTurn(signal);
    signal.removeEventListener('abort', end);
    unlisten();
  }

  isLeadingNow(): boolean {
    return this.isLeading;
  }

  setVisible(isVisible: boolean): void {
    if (isVisible === this.isVisible) return;
    this.isVisible = isVisible;
    this.say();
    if (isVisible || this.shouldYield()) this.turn.abort();
  }

  private async takeTurn(signal: AbortSignal): Promise<void> {
    const { platform, storeName, lead } = this.parts;
    if (this.shouldYield()) {
      await this.pause();
      return;
    }
    const turn = new AbortController();
    this.turn = turn;
    if (signal.aborted) return;
    const waitingSinceMs = platform.elapsed();
    const name = leaderLockOf(storeName);
    const watch = () => {
      if (turn.signal.aborted || this.isLeading) return;
      if (this.isSilent(waitingSinceMs)) turn.abort();
      else platform.later(BEAT_MS, watch);
    };
    const hold = async (lost: AbortSignal) => {
      this.isLeading = true;
      this.say();
      try {
        await lead(AbortSignal.any([turn.signal, lost]));
      } finally {
        this.isLeading = false;
        this.say();
      }
    };
    try {
      const steal = this.isVisible && this.hasSilentLeader();
      if (!steal) platform.later(SILENT_AFTER_MS, watch);
      await platform.holdLock({ name, signal: turn.signal, steal }, hold);
    } catch (error) {
      // Giving up waiting is how a turn ends.
      if (!turn.signal.aborted) {
        platform.report(error);
        await this.pause();
      }
    }
  }

  private pause(): Promise<void> {
    const { platform } = this.parts;
    return new Promise((resolve) => {
      const turn = new AbortController();
      this.turn = turn;
      const cancel = platform.later(BEAT_MS, resolve);
      turn.signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }

  private shouldYield(): boolean {
    if (this.isVisible) return false;
    return this.livePeers().some((peer) => peer.isVisible);
  }

  private livePeers(): Peer[] {
    const nowMs = this.parts.platform.elapsed();
    return [...this.peers.values()].filter((peer) => nowMs - peer.heardAtMs < SILENT_AFTER_MS);
  }

  /** Somebody led when last heard of, and was not heard of for too long. */
  private hasSilentLeader(): boolean {
    const nowMs = this.parts.platform.elapsed();
    const leaders = [...this.peers.values()].filter((peer) => peer.isLeading);
    return leaders.length > 0 && leaders.every((peer) => nowMs - peer.heardAtMs >= SILENT_AFTER_MS);
  }

  /** While waiting for the lock: whoever holds it says nothing. */
  private isSilent(waitingSinceMs: number): boolean {
    const hasWaited = this.parts.platform.elapsed() - waitingSinceMs >= SILENT_AFTER_MS;
    return this.isVisible && hasWaited && this.hasSilentLeader();
  }

  private hear(message: unknown): void {
    const parsed = peerSchema.safeParse(message);
    if (!parsed.success) return;
    const { storeName, peer, isVisible, isLeading } = parsed.data;
    if (storeName !== this.parts.storeName || peer === this.id) return;
    this.peers.set(peer, { heardAtMs: this.parts.platform.elapsed(), isVisible, isLeading });
    if (this.isLeading && this.shouldYield()) this.turn.abort();
  }

  private say(): void {
    const { platform, storeName } = this.parts;
    const { id: peer, isVisible, isLeading } = this;
    platform.announce({ type: 'peer', storeName, peer, isVisible, isLeading });
  }

  private beat(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.say();
    this.parts.platform.later(BEAT_MS, () => this.beat(signal));
  }
}
