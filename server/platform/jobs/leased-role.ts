/** A role's parts as one server has them: which it holds, what runs under each, which it is giving up. */
import type { Lease } from './held-lease.ts';

export interface LeasedRole {
  /** The lease of the part that the id falls into; null while it is another server's. */
  leaseFor(id: string): Lease | null;
  /** Runs work with that lease, which is kept until the work has ended; undefined, and no work, without it. */
  during<T>(id: string, work: (lease: Lease) => Promise<T>): Promise<T | undefined>;
  /** Told when parts have come to this server. */
  onTaken: (listener: () => void) => () => void;
}

export interface RoleHooks {
  /** Before parts that came to this server are used: reads where the work stands. `isIn`: whether an id falls there. */
  prepare?: (isIn: (id: string) => boolean) => Promise<void>;
}

export interface Role extends LeasedRole {
  /** Of its parts' leases. */
  names: readonly string[];
  has(name: string): boolean;
  accept(leases: readonly Lease[]): Promise<void>;
  /** Starts nothing more under it and gives it back when what runs has ended. */
  leave(name: string): Promise<void>;
}

interface Part {
  lease: Lease;
  running: Set<Promise<unknown>>;
  isLeaving: boolean;
}

interface RoleOptions {
  name: string;
  parts: number;
  hooks: RoleHooks;
  /** What stands for every part's lease where no other server can be; null elsewhere. */
  alone: Lease | null;
}

/** The same on every server. */
export function partOf(id: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % parts;
}

/** Wired by `leases.role`, which takes and renews its parts. */
export function createRole({ name, parts, hooks, alone }: RoleOptions): Role {
  const names = Array.from({ length: parts }, (_, at) => (parts === 1 ? name : `${name}/${at}`));
  const mine = new Map<string, Part>();
  const listeners = new Set<() => void>();
  const nameFor = (id: string) => names[partOf(id, parts)] ?? name;
  const partFor = (id: string) => {
    const part = mine.get(nameFor(id));
    return part !== undefined && !part.isLeaving && part.lease.isHeld() ? part : undefined;
  };

  const runIn = async <T>(part: Part, work: (lease: Lease) => Promise<T>): Promise<T> => {
    const run = work(part.lease);
    const ended = run.catch(() => undefined);
    part.running.add(ended);
    try {
      return await run;
    } finally {
      part.running.delete(ended);
    }
  };

  return {
    names,
    has: (part) => mine.has(part),
    leaseFor: (id) => alone ?? partFor(id)?.lease ?? null,
    async during(id, work) {
      if (alone !== null) return work(alone);
      const part = partFor(id);
      return part === undefined ? undefined : runIn(part, work);
    },
    onTaken(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async accept(leases) {
      const taken = new Set(leases.map((lease) => lease.name));
      try {
        await hooks.prepare?.((id) => taken.has(nameFor(id)));
      } catch (error) {
        await Promise.all(leases.map((lease) => lease.release()));
        throw error;
      }
      for (const lease of leases) {
        mine.set(lease.name, { lease, running: new Set(), isLeaving: false });
        lease.signal.addEventListener('abort', () => {
          if (mine.get(lease.name)?.lease === lease) mine.delete(lease.name);
        });
      }
      for (const listener of listeners) listener();
    },
    async leave(part) {
      const leaving = mine.get(part);
      if (leaving === undefined || leaving.isLeaving) return;
      leaving.isLeaving = true;
      while (leaving.running.size > 0) await Promise.all(leaving.running);
      await leaving.lease.release();
    },
  };
}
