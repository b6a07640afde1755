/** One run: a world from a seed, its troubles, its rest, and the judgement. */
import './packed-everywhere.ts';
import type { Breakage } from './breakage.ts';
import { judgeCommands } from './judge-commands.ts';
import { unrest } from './judge-devices.ts';
import type { Violation } from './oracle.ts';
import { planOf } from './schedule.ts';
import { SimServer, type Account } from './sim-server.ts';
import { VirtualClock } from './virtual-clock.ts';
import { World, worldRandom } from './world.ts';

const START_MS = Date.UTC(2026, 0, 5, 9);
/** After the trouble: everything sent within that, a last wait for a server that asked for one included. */
const DRAIN_LIMIT_MS = 100_000;
const REST_LIMIT_MS = 600_000;
const LOOK_EVERY_MS = 5000;

export interface RunReport {
  seed: number;
  violations: Violation[];
  diary: string[];
  commands: number;
  drainMs: number;
}

/** What many runs share: starting a server takes longer than a run. */
export class Simulator {
  private readonly server: SimServer;
  private readonly accounts: Account[];

  private constructor(server: SimServer, accounts: Account[]) {
    this.server = server;
    this.accounts = accounts;
  }

  static async start(): Promise<Simulator> {
    const clock = new VirtualClock(START_MS);
    const server = await SimServer.start({ clock, random: worldRandom(0) });
    return new Simulator(server, [await server.account(), await server.account()]);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Runs one seed, perhaps with a safeguard switched off. */
  async run(seed: number, breakage: Breakage | null = null): Promise<RunReport> {
    const restore = breakage?.install?.() ?? (() => {});
    try {
      return await this.live(await this.prepare(seed, breakage), { seed, breakage });
    } finally {
      restore();
    }
  }

  private async live(
    world: World,
    { seed, breakage }: { seed: number; breakage: Breakage | null },
  ): Promise<RunReport> {
    const { clock, oracle } = world;
    const plan = planOf(worldRandom(seed).fork('plan'), { always: [], never: [], ...breakage?.plan });
    await world.begin(plan);
    await world.trouble(plan);
    world.note('quiet');
    const quietSinceMs = clock.now();
    await world.heal();
    const drainMs = await this.rest(world, quietSinceMs);
    await judgeCommands(world);
    for (const { device } of world.people) device.killAll();
    await clock.run(10_000);
    return {
      seed,
      violations: oracle.violations,
      diary: oracle.diary,
      commands: oracle.intents.size,
      drainMs,
    };
  }

  private async prepare(seed: number, breakage: Breakage | null): Promise<World> {
    const random = worldRandom(seed);
    const clock = new VirtualClock(START_MS);
    const ids = random.fork('ids');
    const rows = { canaryId: ids.guid(), checkIds: [ids.guid(), ids.guid(), ids.guid()] };
    await this.server.reset({ clock, random: random.fork('server') }, rows);
    const [first, second] = this.accounts;
    if (first !== undefined) await this.server.grant(first, ['editor']);
    // Has more to lose when the roles change.
    if (second !== undefined) await this.server.grant(second, ['admin']);
    return new World({ clock, random, server: this.server, accounts: this.accounts, seed: rows, breakage });
  }

  /** Waits until every device is as the server is, and says what isn't if that never happens. */
  private async rest(world: World, sinceMs: number): Promise<number> {
    const { clock, oracle } = world;
    const restless = async () => {
      for (const one of world.people) {
        const why = await unrest(world, one);
        if (why !== null) return `${one.device.name} ${why}`;
      }
      return null;
    };
    let why: string | null = null;
    const isReached = async () => {
      why = await restless();
      world.signInStrays();
      return why === null;
    };
    const isQuiet = await clock.runUntil(isReached, { everyMs: LOOK_EVERY_MS, forMs: REST_LIMIT_MS });
    const drainMs = clock.now() - sinceMs;
    if (!isQuiet) oracle.break('convergence', why ?? 'never quiet');
    else if (drainMs > DRAIN_LIMIT_MS) oracle.break('liveness', `quiet only after ${drainMs / 1000} s`);
    return drainMs;
  }
}
