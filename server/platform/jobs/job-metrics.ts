/** Counts what loops, queues and leases do, for /api/metrics. */

export interface LoopCounts {
  runs: number;
  failures: number;
  /** How long the last run took. */
  lastMs: number;
}

export interface QueueCounts {
  done: number;
  retried: number;
  /** Given up. */
  dead: number;
  /** Somebody else had taken it up meanwhile. */
  lost: number;
  running: number;
}

export interface JobMetrics {
  loopRan(name: string, durationMs: number): void;
  loopFailed(name: string): void;
  queue(name: string): QueueCounts;
  loops(): ReadonlyMap<string, LoopCounts>;
  queues(): ReadonlyMap<string, QueueCounts>;
}

/** One for a server. */
export function createJobMetrics(): JobMetrics {
  const loops = new Map<string, LoopCounts>();
  const queues = new Map<string, QueueCounts>();
  const loop = (name: string): LoopCounts => {
    const known = loops.get(name) ?? { runs: 0, failures: 0, lastMs: 0 };
    loops.set(name, known);
    return known;
  };
  return {
    loopRan(name, durationMs) {
      const counts = loop(name);
      counts.runs += 1;
      counts.lastMs = durationMs;
    },
    loopFailed(name) {
      loop(name).failures += 1;
    },
    queue(name) {
      const known = queues.get(name) ?? { done: 0, retried: 0, dead: 0, lost: 0, running: 0 };
      queues.set(name, known);
      return known;
    },
    loops: () => loops,
    queues: () => queues,
  };
}
