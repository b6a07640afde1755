/** What happens to a simulated world and when: everything follows from the seed. */
import type { Random } from './seeded-random.ts';
import { FINE, type Weather } from './sim-network.ts';

export type DeviceEvent =
  | { kind: 'act' }
  | { kind: 'offline' }
  | { kind: 'online' }
  | { kind: 'crash'; turns: number }
  | { kind: 'open-tab' }
  | { kind: 'close-tab' }
  | { kind: 'freeze' }
  | { kind: 'thaw' }
  | { kind: 'hide' }
  | { kind: 'show' }
  | { kind: 'clock'; skewMs: number }
  | { kind: 'evict' }
  | { kind: 'damage'; how: 'removed' | 'newer' | 'garbage' }
  | { kind: 'sign-out'; keepOutbox: boolean }
  | { kind: 'other-user' }
  | { kind: 'own-user' };

export type WorldEvent =
  | { kind: 'weather'; weather: Weather }
  | { kind: 'session-ended'; user: number }
  | { kind: 'roles'; user: number; roles: string[] }
  | { kind: 'comment-removed' }
  | { kind: 'log-forgotten' };

export type Planned = { atMs: number } & (
  | { device: number; event: DeviceEvent }
  | { device: null; event: WorldEvent }
);

export interface Plan {
  /** Owner of each device, and how many tabs it begins with. */
  devices: { user: number; tabs: number }[];
  lengthMs: number;
  events: Planned[];
}

/** Kinds of trouble; each run has some of them. */
export const TROUBLES = [
  'offline',
  'crash',
  'tabs',
  'freeze',
  'weather',
  'clock',
  'evict',
  'damage',
  'session',
  'switch',
  'roles',
  'removed',
  'forgotten',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface PlanOptions {
  /** Troubles that this run has in any case, and others that it hasn't. */
  always: readonly Trouble[];
  never: readonly Trouble[];
}

const DAY_MS = 86_400_000;
const DAMAGES = ['removed', 'newer', 'garbage'] as const;

class Planner {
  readonly events: Planned[] = [];
  private readonly random: Random;
  private readonly lengthMs: number;

  constructor(random: Random, lengthMs: number) {
    this.random = random;
    this.lengthMs = lengthMs;
  }

  moment(): number {
    return this.random.between(2000, this.lengthMs);
  }

  device(device: number, event: DeviceEvent, atMs = this.moment()): number {
    this.events.push({ atMs, device, event });
    return atMs;
  }

  world(event: WorldEvent, atMs = this.moment()): number {
    this.events.push({ atMs, device: null, event });
    return atMs;
  }

  /** A state that begins and ends. */
  span(device: number, events: [DeviceEvent, DeviceEvent], longestMs: number): void {
    const atMs = this.device(device, events[0]);
    this.device(device, events[1], atMs + this.random.between(500, longestMs));
  }
}

function stormOf(random: Random): Weather {
  const some = (most: number) => (random.chance(0.5) ? random.between(0, most) : 0);
  return {
    slowestMs: random.pick([40, 400, 4000]),
    lost: some(0.3),
    answerLost: some(0.3),
    doubled: some(0.2),
    late: some(0.1),
    hung: some(0.1),
    refused: some(0.4),
    garbled: some(0.2),
    streamBroken: some(0.2),
    streamSilent: some(0.1),
  };
}

type Addition = (planner: Planner, random: Random, facts: { device: number; user: number }) => void;

const DEVICE_TROUBLES: Partial<Record<Trouble, Addition>> = {
  offline(planner, random, { device }) {
    for (let times = random.int(1, 3); times > 0; times -= 1) {
      planner.span(device, [{ kind: 'offline' }, { kind: 'online' }], 60_000);
    }
  },
  crash(planner, random, { device }) {
    for (let times = random.int(1, 5); times > 0; times -= 1) {
      const atMs = planner.device(device, { kind: 'crash', turns: random.int(1, 60) });
      if (random.chance(0.5)) planner.device(device, { kind: 'act' }, atMs);
    }
  },
  tabs(planner, random, { device }) {
    for (let times = random.int(1, 3); times > 0; times -= 1) {
      planner.span(device, [{ kind: 'open-tab' }, { kind: 'close-tab' }], 60_000);
      if (random.chance(0.5)) planner.span(device, [{ kind: 'hide' }, { kind: 'show' }], 30_000);
    }
  },
  freeze(planner, random, { device }) {
    planner.device(device, { kind: 'open-tab' });
    for (let times = random.int(1, 3); times > 0; times -= 1) {
      planner.span(device, [{ kind: 'freeze' }, { kind: 'thaw' }], 60_000);
    }
  },
  clock(planner, random, { device }) {
    for (let times = random.int(1, 3); times > 0; times -= 1) {
      const skewMs = random.pick([
        -DAY_MS,
        DAY_MS,
        3_600_000,
        -1_700_000_000_000,
        random.int(-300_000, 300_000),
      ]);
      planner.device(device, { kind: 'clock', skewMs });
    }
  },
  evict(planner, random, { device }) {
    if (random.chance(0.5)) planner.device(device, { kind: 'evict' });
  },
  damage(planner, random, { device }) {
    planner.device(device, { kind: 'damage', how: random.pick(DAMAGES) });
  },
  switch(planner, random, { device }) {
    const atMs = random.chance(0.6)
      ? planner.device(device, { kind: 'sign-out', keepOutbox: random.chance(0.7) })
      : planner.moment();
    planner.device(device, { kind: 'other-user' }, atMs + random.between(3000, 15_000));
    planner.device(device, { kind: 'own-user' }, atMs + random.between(20_000, 60_000));
  },
};

function addWorldTroubles(planner: Planner, random: Random, troubles: ReadonlySet<Trouble>): void {
  if (troubles.has('weather')) {
    for (let times = random.int(1, 4); times > 0; times -= 1) {
      const atMs = planner.world({ kind: 'weather', weather: stormOf(random) });
      planner.world({ kind: 'weather', weather: FINE }, atMs + random.between(5000, 60_000));
    }
  }
  if (troubles.has('session')) planner.world({ kind: 'session-ended', user: random.int(0, 1) });
  if (troubles.has('roles')) {
    const atMs = planner.world({ kind: 'roles', user: 1, roles: random.pick([['viewer'], ['responder']]) });
    planner.world({ kind: 'roles', user: 1, roles: ['editor'] }, atMs + random.between(10_000, 60_000));
  }
  if (troubles.has('removed')) {
    for (let times = random.int(1, 4); times > 0; times -= 1) planner.world({ kind: 'comment-removed' });
  }
  if (troubles.has('forgotten')) planner.world({ kind: 'log-forgotten' });
}

/** The plan of a seed. */
export function planOf(random: Random, options: PlanOptions): Plan {
  const { always, never } = options;
  const chosen = TROUBLES.filter((trouble) => random.chance(0.35) || always.includes(trouble));
  const troubles = new Set(chosen.filter((trouble) => !never.includes(trouble)));
  const lengthMs = random.int(60_000, 150_000);
  const count = random.int(2, 4);
  const devices = Array.from({ length: count }, (_, at) => ({
    user: at === 0 ? 0 : random.int(0, 1),
    tabs: random.chance(0.25) ? 2 : 1,
  }));
  const planner = new Planner(random, lengthMs);
  for (const [device, { user }] of devices.entries()) {
    for (let acts = random.int(6, 24); acts > 0; acts -= 1) planner.device(device, { kind: 'act' });
    for (const trouble of TROUBLES) {
      if (troubles.has(trouble)) DEVICE_TROUBLES[trouble]?.(planner, random, { device, user });
    }
  }
  addWorldTroubles(planner, random, troubles);
  return { devices, lengthMs, events: planner.events.toSorted((a, b) => a.atMs - b.atMs) };
}
