/** Watches that at most one worker of a device sends commands at a time (law 12). */
import type { Oracle } from './oracle.ts';
import type { Caller } from './sim-network.ts';
import { COMMANDS_PATH, routeOf, type WireRequest } from './wire.ts';

export class SenderWatch {
  private readonly sending = new Map<WireRequest, Caller>();
  private readonly oracle: Oracle;

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  start(request: WireRequest, from: Caller): void {
    if (routeOf(request) !== COMMANDS_PATH) return;
    for (const [other, { link, life, worker }] of this.sending) {
      if (life.isDead) this.sending.delete(other);
      // One that the browser froze in the middle of sending was replaced by force; it hears of it when it thaws.
      const isRival = link === from.link && worker !== from.worker && !life.wasFrozen;
      if (isRival && !life.isDead)
        this.oracle.break('one sender', `${from.worker} sends while ${worker} does`);
    }
    this.sending.set(request, from);
  }

  end(request: WireRequest): void {
    this.sending.delete(request);
  }
}
