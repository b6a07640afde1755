/** One run: a world from a seed, its troubles, its rest, and the judgement. */
import './packed-everywhere.ts';
import type { Breakage } from './breakage.ts';
import { checkCommands } from './check-commands.ts';
import { unrest } from './judge-devices.ts';
import type { Violation } from './oracle.ts';
import { createChoices } from './choices.ts';
import type { Recording } from './recording.ts';
import { planOf, type Plan } from './schedule.ts';
import type { Random } from './seeded-random.ts';
import { openSimPglite, SimServer, type OpenSimDatabase } from './sim-server.ts';
import { VirtualClock } from './virtual-clock.ts';
import { World, worldRandom } from './world.ts';

const START_MS = Date.UTC(2026, 0, 5, 9);
/** After the trouble: everything sent within that, a last wait for a server that asked for one included. */
const DRAIN_LIMIT_MS = 100_000;
const REST_LIMIT_MS = 600_000;
const LOOK_EVERY_MS = 5000;
const PEOPLE = 2;

export interface RunReport {
  seed: number;
  violations: readonly Violation[];
  trace: readonly string[];
  commands: number;
  drainMs: number;
  /** With which the same happens again. */
  recording: Recording;
}

export interface RunOptions {
  /** A safeguard that is switched off. */
  breakage?: Breakage | null;
  /** A run that is to be had again. */
  recording?: Recording | null;
}

interface Prepared {
  clock: VirtualClock;
  random: Random;
  breakage: Breakage | null;
}

function startServer(open: OpenSimDatabase): Promise<SimServer> {
  const clock = new VirtualClock(START_MS);
  return clock.drive(() => clock.hold(SimServer.start(open, { clock, random: worldRandom(0) }, PEOPLE)));
}

/** What many runs share: starting a server takes longer than a run. */
export class Simulator {
  private server: SimServer;
  private readonly open: OpenSimDatabase;

  private constructor(server: SimServer, open: OpenSimDatabase) {
    this.server = server;
    this.open = open;
  }

  static async start(open: OpenSimDatabase = openSimPglite): Promise<Simulator> {
    return new Simulator(await startServer(open), open);
  }

  stop(): Promise<void> {
    return this.server.close();
  }

  /** Runs one world, perhaps with a safeguard switched off. What went wrong with the simulator itself is in the report. */
  async run(seed: number, { breakage = null, recording = null }: RunOptions = {}): Promise<RunReport> {
    const restore = breakage?.install?.() ?? (() => {});
    const random = worldRandom(seed);
    const clock = new VirtualClock(START_MS, createChoices(random.fork('choices'), recording?.choices));
    const plan = recording?.plan ?? planOf(random.fork('plan'), { always: [], never: [], ...breakage?.plan });
    const report = (violations: readonly Violation[], rest: Partial<RunReport> = {}): RunReport => ({
      seed,
      violations,
      trace: [],
      commands: 0,
      drainMs: 0,
      ...rest,
      recording: {
        seed,
        law: breakage?.law ?? null,
        plan,
        choices: clock.choices.written(),
        steps: clock.trace.sum(),
        broken: violations.map(({ law, what }) => `${law}: ${what}`),
      },
    });
    try {
      const { oracle, drainMs } = await clock.drive(async () => {
        const world = await this.prepare({ clock, random, breakage });
        return { oracle: world.oracle, drainMs: await this.live(world, plan) };
      });
      return report(oracle.violations, { trace: oracle.trace, commands: oracle.intents.size, drainMs });
    } catch (error) {
      // Whatever it left half done is not the next run's.
      await this.server.close();
      this.server = await startServer(this.open);
      return report([{ law: 'simulator', what: String(error instanceof Error ? error.stack : error) }]);
    } finally {
      restore();
    }
  }

  /** Everything that happens in a world; returns how long it took to come to rest. */
  private async live(world: World, plan: Plan): Promise<number> {
    const { clock } = world;
    await world.begin(plan);
    await world.trouble(plan);
    world.note('quiet');
    const quietSinceMs = clock.now();
    await world.heal();
    const drainMs = await this.rest(world, quietSinceMs);
    await checkCommands(world);
    world.end();
    await clock.run(10_000);
    await this.server.end();
    return drainMs;
  }

  private async prepare({ clock, random, breakage }: Prepared): Promise<World> {
    const ids = random.fork('ids');
    const rows = { canaryId: ids.guid(), checkIds: [ids.guid(), ids.guid(), ids.guid()] };
    await this.server.begin({ clock, random: random.fork('server') }, rows);
    const accounts = this.server.everybody();
    const [first, second] = accounts;
    if (first !== undefined) await this.server.grant(first, ['editor']);
    // Has more to lose when the roles change.
    if (second !== undefined) await this.server.grant(second, ['admin']);
    return new World({ clock, random, server: this.server, accounts, seed: rows, breakage });
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
