/**
 * Who does what alone, among the servers of one database. A lease is this server's until it gives it back, or until it
 * was silent for LEASE_MS; its token is greater than that of every holder before, and writes that depend on it are
 * refused once somebody else has had it (`requireLease`). Invariants: never two holders of a valid token; work that
 * runs under a role keeps its part until it has ended; a server that was frozen starts nothing before it has asked.
 *
 * A database in the data folder has one server (it holds the folder's lock): there roles are its own without asking.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import { runLoop } from './background-loop.ts';
import type { JobMetrics } from './job-metrics.ts';
import { balanceRole } from './lease-balance.ts';
import { createHeldLease, SOLE_LEASE, type HeldLease, type Lease } from './held-lease.ts';
import { createRole, type LeasedRole, type Role, type RoleHooks } from './leased-role.ts';
import {
  endLeases,
  forgetLeases,
  lockLeases,
  readLeases,
  releaseLeases,
  renewLeases,
  takeLeases,
} from './leases-query.ts';

/** A server that is killed or frozen is missed after this. */
export const LEASE_MS = 12_000;
const RENEW_EVERY_MS = 3000;
/** Servers that live have a lease with this and their holder's name. */
const SERVER = 'server/';
const FORGET_EVERY_MS = 3_600_000;

export interface Leases {
  /** For one piece of work, whoever starts it; null while somebody has it. */
  take(name: string): Promise<Lease | null>;
  /** Those of them that nobody has. */
  takeAll(names: readonly string[]): Promise<Lease[]>;
  /** Work that the servers share: each part is one server's. */
  role(name: string, parts?: number, hooks?: RoleHooks): LeasedRole;
  /** Takes a share of the roles. */
  start(): Promise<void>;
  /** Keeps what is held and shares the roles, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Gives everything back, for others to take at once. */
  close(): Promise<void>;
}

export interface LeasesDeps {
  db: Database;
  platform: Pick<Platform, 'now' | 'sleep' | 'newId'>;
  logger: Logger;
  metrics?: JobMetrics | undefined;
  /** For people who look into the table. */
  serverName?: string;
  /** No other server can be at this database; so it is with one in the data folder. */
  isAlone?: boolean;
}

/**
 * Inside a transaction: throws unless nobody else has had the lease since; nobody gets it before the transaction ends.
 */
export async function requireLease(tx: Queryable, lease: Lease | null): Promise<void> {
  if (lease === null || lease.token === null) return;
  const valid = await lockLeases(tx, [{ name: lease.name, token: lease.token }]);
  if (!valid.has(lease.token)) throw new AppError('conflict', `another server has ${lease.name} now`);
}

/** Those leases of which that is so. */
export async function validLeases(tx: Queryable, leases: Iterable<Lease>): Promise<ReadonlySet<Lease>> {
  const asked = [...new Set(leases)];
  const shared = asked.flatMap(({ name, token }) => (token === null ? [] : [{ name, token }]));
  const valid = shared.length === 0 ? new Set<number>() : await lockLeases(tx, shared);
  return new Set(asked.filter(({ token }) => token === null || valid.has(token)));
}

class DatabaseLeases implements Leases {
  private readonly deps: LeasesDeps;
  private readonly holder: string;
  private readonly held = new Map<string, HeldLease>();
  private readonly roles: Role[] = [];
  private readonly isAlone: boolean;
  private forgottenMs = 0;

  constructor(deps: LeasesDeps) {
    this.deps = deps;
    this.isAlone = deps.isAlone ?? (deps.db.kind === 'pglite' || deps.db.ownFolder !== undefined);
    this.holder = `${deps.serverName ?? 'server'}/${deps.platform.newId()}`;
  }

  async take(name: string): Promise<Lease | null> {
    const [lease = null] = await this.takeAll([name]);
    return lease;
  }

  role(name: string, parts = 1, hooks: RoleHooks = {}): LeasedRole {
    const role = createRole({ name, parts, hooks, alone: this.isAlone ? SOLE_LEASE : null });
    if (!this.isAlone) this.roles.push(role);
    return role;
  }

  async start(): Promise<void> {
    // What this server had before it was killed.
    if (this.isAlone) await endLeases(this.deps.db);
    if (this.roles.length > 0) await this.takeAll([SERVER + this.holder]);
    await this.share();
  }

  run(signal: AbortSignal): Promise<void> {
    const step = async () => {
      await this.renew();
      await this.share();
    };
    const loop = { name: 'leases', everyMs: RENEW_EVERY_MS, slowestRetryMs: RENEW_EVERY_MS, run: step };
    return runLoop(this.deps, { ...loop, firstAfterMs: RENEW_EVERY_MS }, signal);
  }

  async close(): Promise<void> {
    const held = [...this.held.values()];
    for (const lease of held) this.drop(lease);
    if (held.length > 0) await releaseLeases(this.deps.db, held);
  }

  private drop(lease: HeldLease): void {
    if (this.held.get(lease.name) === lease) this.held.delete(lease.name);
    lease.lose();
  }

  async takeAll(names: readonly string[]): Promise<HeldLease[]> {
    const { db, platform } = this.deps;
    // The time that is over when the answer comes is the holder's loss.
    const untilMs = platform.now() + LEASE_MS;
    const taken = await takeLeases(db, { names, holder: this.holder, leaseMs: LEASE_MS });
    return taken.map((row) => {
      const lease = createHeldLease(row, {
        now: () => platform.now(),
        untilMs,
        release: (held, tx) => this.release(held, tx),
      });
      this.held.set(row.name, lease);
      return lease;
    });
  }

  private async release(lease: HeldLease, tx: Queryable = this.deps.db): Promise<boolean> {
    this.drop(lease);
    return (await releaseLeases(tx, [lease])) > 0;
  }

  private async renew(): Promise<void> {
    const { db, platform, logger } = this.deps;
    const held = [...this.held.values()];
    if (held.length === 0) return;
    const untilMs = platform.now() + LEASE_MS;
    const still = await renewLeases(db, held, LEASE_MS);
    for (const lease of held) {
      if (still.has(lease.name)) lease.renewed(untilMs);
      else {
        logger.warn(
          { lease: lease.name },
          'another server has what this one was doing: it was silent for too long',
        );
        this.drop(lease);
      }
    }
    if (!still.has(SERVER + this.holder)) await this.takeAll([SERVER + this.holder]);
  }

  private async share(): Promise<void> {
    const { db, platform, logger } = this.deps;
    if (this.roles.length === 0) return;
    const names = this.roles.flatMap((role) => role.names);
    const rows = new Map((await readLeases(db, names, SERVER)).map((row) => [row.name, row]));
    const servers = [...rows.values()].filter((row) => row.is_live && row.name.startsWith(SERVER)).length;
    for (const role of this.roles) {
      const parts = role.names.map((name) => ({
        name,
        isMine: role.has(name),
        isFree: !(rows.get(name)?.is_live ?? false),
      }));
      const { take, leave } = balanceRole(parts, servers);
      for (const name of leave) {
        role
          .leave(name)
          .catch((error: unknown) => logger.warn({ err: error, lease: name }, 'a lease ends by itself'));
      }
      if (take.length > 0) await role.accept(await this.takeAll(take));
    }
    if (platform.now() - this.forgottenMs < FORGET_EVERY_MS) return;
    this.forgottenMs = platform.now();
    await forgetLeases(db);
  }
}

/** The leases of one server. */
export function createLeases(deps: LeasesDeps): Leases {
  return new DatabaseLeases(deps);
}
