/**
 * Whether this server can see at all: whether its network is there, its probes answer, its clock runs evenly. A check
 * that fails while it can't says nothing about what was checked. Owns what is known of it in this process.
 */
import {
  jumpBetween,
  needsNetwork,
  type ClockJump,
  type ClockLook,
} from '../../../src/domain/notification/sight.ts';
import { connectOnce } from '../../platform/egress/connect-once.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { MESSAGES } from './messages.ts';

/** A probe that takes longer has no answer. */
const PROBE_MS = 2000;
/** What was found so lately is good enough for another check that fails. */
const FRESH_MS = 1000;

export interface SightParts {
  /** `host:port` of places that answer while there is an uplink; none means that only the interfaces count. */
  probes: readonly string[];
  guard: EgressGuard;
  /** Whether the machine has an address besides its loopback. */
  hasNetwork: () => boolean;
  now: () => number;
  /** ms that only ever grow. */
  elapsed: () => number;
}

export interface Blindness {
  reason: string;
  sinceMs: number;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** One for the process. */
export class Sight {
  private readonly parts: SightParts;
  /** A machine that never had a network is one that checks itself. */
  private hadNetwork: boolean;
  private blind: Blindness | null = null;
  private look: { atMs: number; found: Promise<Blindness | null> } | null = null;
  private clock: ClockLook;
  private readonly jumps: ClockJump[] = [];
  private gap: { sinceMs: number; untilMs: number } | null = null;

  constructor(parts: SightParts) {
    this.parts = parts;
    this.hadNetwork = parts.hasNetwork();
    this.clock = { wallMs: parts.now(), elapsedMs: parts.elapsed() };
  }

  /** Why a check that began then and failed says nothing; null when it does. */
  async blindnessOf(checkType: string, startedMs: number): Promise<Blindness | null> {
    this.tick();
    const { gap } = this;
    if (gap !== null && startedMs < gap.untilMs)
      return { reason: MESSAGES.duringGap(iso(gap.sinceMs)), sinceMs: gap.sinceMs };
    return needsNetwork(checkType) ? this.see() : null;
  }

  /** Looks at the network, or answers what was found a moment ago. */
  see(): Promise<Blindness | null> {
    const nowMs = this.parts.elapsed();
    if (this.look !== null && nowMs - this.look.atMs < FRESH_MS) return this.look.found;
    const found = this.find();
    this.look = { atMs: nowMs, found };
    return found;
  }

  /** Looks at the clocks. */
  tick(): void {
    const now = { wallMs: this.parts.now(), elapsedMs: this.parts.elapsed() };
    const jump = jumpBetween(this.clock, now);
    this.clock = now;
    if (jump?.kind === 'gap') this.gap = { sinceMs: jump.sinceMs, untilMs: jump.untilMs };
    if (jump?.kind === 'back') this.gap = null;
    if (jump !== null) this.jumps.push(jump);
  }

  /** What happened to the clocks since this was asked last. */
  takeJumps(): ClockJump[] {
    return this.jumps.splice(0);
  }
  private async find(): Promise<Blindness | null> {
    const reason = await this.reason();
    if (reason === null) this.blind = null;
    else this.blind ??= { sinceMs: this.parts.now(), reason: reason(iso(this.parts.now())) };
    return this.blind;
  }

  private async reason(): Promise<((since: string) => string) | null> {
    const { probes, hasNetwork } = this.parts;
    const isThere = hasNetwork();
    this.hadNetwork ||= isThere;
    if (this.hadNetwork && !isThere) return MESSAGES.noNetwork;
    if (probes.length === 0) return null;
    const answers = await Promise.all(probes.map((probe) => this.answers(probe)));
    return answers.includes(true) ? null : (since) => MESSAGES.noProbe(probes.join(', '), since);
  }

  private async answers(probe: string): Promise<boolean> {
    const colon = probe.lastIndexOf(':');
    const [host, port] = [probe.slice(0, colon), Number(probe.slice(colon + 1))];
    const limit = AbortSignal.timeout(PROBE_MS);
    try {
      const { addresses } = await this.parts.guard.check(host, port, 'operator');
      await connectOnce(addresses[0].address, port, limit);
      return true;
    } catch {
      // Whatever it was: this place was not reached.
      return false;
    }
  }
}
