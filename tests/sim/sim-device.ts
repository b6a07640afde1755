/**
 * One simulated device: a disk, a network link, one or two tabs. Each tab has a worker of its own that runs the
 * real sync service, as where the browser has no SharedWorker; each may crash, freeze and come back.
 */
import { SyncService } from '../../workers/sync/sync-service.ts';
import type { SyncPlatform } from '../../workers/sync/platform.ts';
import { joinOutboxUpdates } from '../../src/contract/outbox/outbox-updates.ts';
import type { OutboxView } from '../../src/contract/outbox/outbox.ts';
import type { SessionState } from '../../src/contract/worker.ts';
import { ProcessGuard } from './process-guard.ts';
import type { Random } from './seeded-random.ts';
import { SimDisk } from './sim-disk.ts';
import { SimBus, SimLocks } from './sim-locks.ts';
import { Link, type Caller, type SimNetwork } from './sim-network.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { SYNC_HANDLERS } from '../backends/sync-query-handlers.ts';

export interface Tab {
  name: string;
  life: ProcessGuard;
  service: SyncService;
  session: SessionState;
  outbox: OutboxView | null;
  isVisible: boolean;
}

export interface DeviceParts {
  name: string;
  clock: VirtualClock;
  random: Random;
  network: SimNetwork;
  onOutbox: (device: SimDevice, tab: Tab, view: OutboxView) => void;
  onReport: (device: SimDevice, error: unknown) => void;
}

export class SimDevice {
  readonly name: string;
  readonly disk = new SimDisk();
  readonly link: Link;
  readonly locks: SimLocks;
  readonly tabs: Tab[] = [];
  /** How far this device's clock is from the world's. */
  skewMs = 0;
  /** What this device does wrong when it is answered with 5xx. */
  onServerTrouble = () => {};
  private readonly parts: DeviceParts;
  private readonly bus: SimBus;
  private opened = 0;

  constructor(parts: DeviceParts) {
    this.parts = parts;
    this.name = parts.name;
    this.link = new Link(parts.name);
    this.locks = new SimLocks(parts.clock);
    this.bus = new SimBus({ clock: parts.clock, random: parts.random.fork('bus') });
  }

  /** An origin of its own keeps what libraries share within a process apart, as two machines are. */
  get origin(): string {
    return `http://${this.name}.test`;
  }

  openTab(): Tab {
    this.opened += 1;
    const name = `${this.name}/${this.opened}`;
    const life = new ProcessGuard();
    const service = new SyncService(this.platform(life, name), SYNC_HANDLERS);
    const tab: Tab = { name, life, service, session: { kind: 'unknown' }, outbox: null, isVisible: true };
    this.tabs.push(tab);
    void service.subscribeSession((state) => {
      if (!life.isDead) tab.session = state;
    });
    const join = joinOutboxUpdates((view) => {
      if (life.isDead) return;
      tab.outbox = structuredClone(view);
      this.parts.onOutbox(this, tab, tab.outbox);
    });
    // As it is sent from the worker to the page.
    void service.ask('outbox', {}, (update) => join(structuredClone(update)));
    service.start();
    return tab;
  }

  /** The tab's process ends here and now. */
  kill(tab: Tab): void {
    tab.life.die();
    this.tabs.splice(this.tabs.indexOf(tab), 1);
  }

  /** Ends a tab's process somewhere within what it does next, however long that takes, and says so. */
  killWithin(tab: Tab, turns: number, onKilled: () => void): void {
    let left = turns;
    const stop = this.parts.clock.onTurn(() => {
      left -= 1;
      if (left > 0) return;
      stop();
      if (tab.life.isDead) return;
      this.kill(tab);
      onKilled();
    });
  }

  killAll(): void {
    for (const tab of Array.from(this.tabs)) this.kill(tab);
  }

  setOnline(isOnline: boolean): void {
    this.link.isOnline = isOnline;
    for (const { life, service, isVisible } of this.tabs) {
      life.enter(() => void service.setDeviceState({ isOnline, isVisible }));
    }
  }

  /** As the worker that reads the store does when something there doesn't parse. */
  reportDamage(storeName: string): void {
    this.bus.announce(null, { type: 'damaged', storeName });
  }

  setVisible(tab: Tab, isVisible: boolean): void {
    tab.isVisible = isVisible;
    const { isOnline } = this.link;
    tab.life.enter(() => void tab.service.setDeviceState({ isOnline, isVisible }));
  }

  /** A tab that can do something for its user now. */
  liveTab(): Tab | null {
    return this.tabs.find((tab) => !tab.life.isFrozen && tab.session.kind === 'signed-in') ?? null;
  }

  private platform(life: ProcessGuard, worker: string): SyncPlatform {
    const { clock, random, network, onReport } = this.parts;
    const prng = random.fork(worker);
    const caller: Caller = { link: this.link, life, worker };
    return {
      now: () => clock.now() + this.skewMs,
      elapsed: () => clock.now(),
      random: () => prng.next(),
      newId: () => prng.guid(),
      later: (delayMs, callback) => clock.after(delayMs, () => life.enter(callback)),
      fetch: (url, init) => network.fetch(caller, url, init),
      openEvents: (url, _names, handlers) => network.openEvents(caller, url, handlers),
      origin: this.origin,
      idb: this.disk.door(life),
      announce: (message) => this.bus.announce(life, message),
      listen: (listener) => this.bus.listen(life, listener),
      holdLock: (request, run) => this.locks.hold(life, request, run),
      estimateStorage: async () => ({ usedBytes: null, quotaBytes: null }),
      report: (error) => {
        if (!life.isDead) onReport(this, error);
      },
    };
  }
}
