/** A safeguard that is switched off, from outside of the program, to see that its absence is noticed. */
import type { Database } from '../../server/platform/db/database.ts';
import type { PlanOptions } from './schedule.ts';
import type { Random } from './seeded-random.ts';
import type { SimDevice } from './sim-device.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { Wire } from './wire.ts';

export interface Breakage {
  law: string;
  /** Promises of which at least one is then seen broken. */
  shows: readonly string[];
  /** What no longer holds. */
  what: string;
  /** Troubles that bring it to light. */
  plan?: Partial<PlanOptions>;
  /** Stands between the network and the server. */
  wire?: (wire: Wire, tools: { clock: VirtualClock; random: Random; database: Database }) => Wire;
  /** Changes a part of the program for one run; returns how to put it back. */
  install?: () => () => void;
  /** Changes a device when it is new. */
  device?: (device: SimDevice) => void;
  /** Happens to a device that crashes. */
  atCrash?: (device: SimDevice) => void;
}
