/** One simulated world: server, network, devices, people, and what befalls them. */
import { DifferenceError } from '../../workers/sync/log/comparison.ts';
import { signInAs } from '../backends/sign-in.ts';
import { readState } from '../../server/replication/change-log/state-query.ts';
import { commandAnswerSchema, commandBatchSchema } from '../../src/contract/sync.ts';
import { PASSWORD } from '../security/support/test-server.ts';
import type { Breakage } from './breakage.ts';
import { Oracle } from './oracle.ts';
import { watchPromises } from './promise-watch.ts';
import type { DeviceEvent, Plan, WorldEvent } from './schedule.ts';
import { SenderWatch } from './sender-watch.ts';
import { createRandom, type Random } from './seeded-random.ts';
import { SimDevice, type Tab } from './sim-device.ts';
import { FINE, SimNetwork, type Caller } from './sim-network.ts';
import { forgetUpTo, removeComment, type SeedRows } from './sim-query.ts';
import type { Account, SimServer } from './sim-server.ts';
import { decide, look, type UserParts } from './sim-user.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { COMMANDS_PATH, routeOf, type WireAnswer, type WireRequest } from './wire.ts';

/** Longer than the stream of a reader who is there takes. */
const FORGET_AFTER_MS = 12_000;

/** How long a crashed tab's person takes to open it again. */
const REOPEN_MS = 5000;

export interface Inhabitant {
  device: SimDevice;
  /** Whose device it is; somebody else may use it for a while. */
  owner: number;
  /** Who uses it now; null when nobody is signed in on purpose. */
  user: number | null;
  parts: UserParts;
}

export interface WorldParts {
  clock: VirtualClock;
  random: Random;
  server: SimServer;
  accounts: readonly Account[];
  seed: SeedRows;
  breakage: Breakage | null;
}

/** The next pull by the clock finds what is damaged; until then the comparison with the server may. */
const UNNOTICED_MS = 60_000;

export class World {
  readonly oracle = new Oracle();
  readonly clock: VirtualClock;
  readonly server: SimServer;
  readonly accounts: readonly Account[];
  readonly network: SimNetwork;
  readonly people: Inhabitant[] = [];
  /** Comments that vanished without anybody's command. */
  readonly removed = new Set<string>();
  /** Errors that workers reported because nobody waited for them. */
  readonly reports: unknown[] = [];
  private readonly senders = new SenderWatch(this.oracle);
  private readonly random: Random;
  private readonly parts: WorldParts;
  private readonly startedMs: number;
  private places = 0;
  /** When something was last taken from a device's disk. */
  private readonly damagedAtMs = new Map<SimDevice, number>();
  private isOver = false;

  constructor(parts: WorldParts) {
    this.parts = parts;
    this.clock = parts.clock;
    this.server = parts.server;
    this.accounts = parts.accounts;
    this.random = parts.random.fork('world');
    this.startedMs = this.clock.now();
    const tools = { clock: this.clock, random: parts.random, database: parts.server.database };
    const wire = parts.breakage?.wire?.(parts.server, tools) ?? parts.server;
    this.network = new SimNetwork({
      clock: this.clock,
      random: parts.random.fork('network'),
      wire,
      watch: {
        onStarted: (request, from) => this.senders.start(request, from),
        onEnded: (request) => this.senders.end(request),
        onDone: (request, answer, from) => this.onServer(request, answer, from),
        onAnswered: (request, answer, from) => this.onAnswer(request, answer, from),
      },
    });
  }

  /** Opens the devices and signs everybody in, in fine weather. */
  async begin(plan: Plan): Promise<void> {
    for (const [at, { user, tabs }] of plan.devices.entries()) {
      const random = this.parts.random.fork(`device ${at}`);
      const device = new SimDevice({
        name: `device-${at}`,
        clock: this.clock,
        random,
        network: this.network,
        onOutbox: (from, tab, view) => watchPromises(this, { device: from, tab, view }),
        onReport: (from, error) => this.onReport(from, error),
      });
      this.parts.breakage?.device?.(device);
      const { checkIds } = this.parts.seed;
      const personIds = this.accounts.map(({ id }) => id);
      const parts = { random: random.fork('user'), personIds, checkIds, mark: `sim-${at}` };
      this.people.push({ device, owner: user, user, parts });
      for (let tab = 0; tab < tabs; tab += 1) device.openTab();
    }
    await this.clock.run(1000);
    for (const one of this.people) this.signIn(one);
    await this.clock.run(4000);
  }

  /** Everything that the plan holds for the time of trouble. */
  async trouble(plan: Plan): Promise<void> {
    for (const planned of plan.events) {
      this.clock.after(planned.atMs, () => {
        if (planned.device === null) this.go(this.befall(planned.event));
        else {
          const one = this.people[planned.device];
          if (one !== undefined) this.go(this.happen(one, planned.event));
        }
      });
    }
    await this.clock.run(plan.lengthMs);
  }

  /** Ends all trouble: from here on everything has to come right by itself. */
  async heal(): Promise<void> {
    this.network.weather = FINE;
    for (const account of this.accounts) await this.server.grant(account, ['editor']);
    for (const one of this.people) {
      const { device } = one;
      device.skewMs = 0;
      for (const tab of device.tabs) tab.life.thaw();
      if (device.tabs.length === 0) device.openTab();
      device.setOnline(true);
      const [first] = device.tabs;
      if (first !== undefined) device.setVisible(first, true);
    }
    await this.clock.run(3000);
    for (const one of this.people) {
      if (one.user !== one.owner) this.go(this.takeOver(one, one.owner));
      else if (one.device.liveTab() === null) this.signIn(one);
    }
  }

  /** Nobody uses a device any more. */
  end(): void {
    this.isOver = true;
    for (const { device } of this.people) device.killAll();
  }

  /** What the diary says of a moment. */
  note(line: string): void {
    this.oracle.note(this.clock.now() - this.startedMs, line);
  }

  /** Keeps people from staying signed out: signs those in again whom the server forgot. */
  signInStrays(): void {
    for (const one of this.people) {
      if (one.device.tabs.some((tab) => tab.session.kind === 'signed-out')) this.signIn(one);
    }
  }

  private go(work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.oracle.break('simulator', String(error instanceof Error ? error.stack : error)),
    );
  }

  private signIn({ device, user }: Inhabitant): void {
    const account = user === null ? undefined : this.accounts[user];
    const tab = device.tabs.find(({ life }) => !life.isFrozen);
    if (account === undefined || tab === undefined) return;
    this.note(`${tab.name} signs in as user ${user}`);
    this.go(signInAs(tab.service, { identifier: account.email, password: PASSWORD }).then(() => {}));
  }

  private async takeOver(one: Inhabitant, user: number): Promise<void> {
    one.user = user;
    const tab = one.device.tabs.find(({ life }) => !life.isFrozen);
    if (tab?.session.kind === 'signed-in') {
      this.note(`${tab.name} signs out, its outbox is kept`);
      await tab.life.pass(tab.service.signOut({ keepOutbox: true }));
    }
    this.signIn(one);
  }

  private async happen(one: Inhabitant, event: DeviceEvent): Promise<void> {
    const { device } = one;
    const tab = device.liveTab();
    if (event.kind !== 'act') this.note(`${device.name}: ${JSON.stringify(event)}`);
    switch (event.kind) {
      case 'act':
        return tab === null ? undefined : this.act(one, tab);
      case 'offline':
        return device.setOnline(false);
      case 'online':
        return device.setOnline(true);
      case 'crash':
        return this.crash(one, event.turns);
      case 'open-tab':
        if (device.tabs.length < 3) device.openTab();
        return;
      case 'close-tab':
        if (device.tabs.length > 1) device.kill(device.tabs[0]!);
        return;
      case 'freeze':
        return device.tabs[0]?.life.freeze();
      case 'thaw':
        for (const { life } of device.tabs) life.thaw();
        return;
      case 'hide':
      case 'show':
        if (tab !== null) device.setVisible(tab, event.kind === 'show');
        return;
      case 'clock':
        device.skewMs = event.skewMs;
        return;
      case 'evict':
        return this.evict(one);
      case 'damage':
        return this.damage(one, event.how);
      case 'sign-out':
        return this.signOut(one, event.keepOutbox);
      case 'other-user':
        return this.takeOver(one, 1 - one.owner);
      case 'own-user':
        return this.takeOver(one, one.owner);
    }
  }

  private async befall(event: WorldEvent): Promise<void> {
    this.note(JSON.stringify(event));
    switch (event.kind) {
      case 'weather':
        this.network.weather = event.weather;
        return;
      case 'session-ended': {
        const account = this.accounts[event.user];
        if (account !== undefined) await this.server.revokeSessions(account);
        this.clock.after(this.random.between(2000, 20_000), () => this.signInStrays());
        return;
      }
      case 'roles': {
        const account = this.accounts[event.user];
        if (account !== undefined) await this.server.grant(account, event.roles);
        return;
      }
      case 'comment-removed':
        return this.removeSomething();
      case 'log-forgotten':
        await this.forgetLog();
    }
  }

  /** What is forgotten is old: whoever is there has heard of it. */
  private async forgetLog(): Promise<void> {
    const { head } = await readState(this.server.database);
    await this.clock.sleep(FORGET_AFTER_MS);
    await forgetUpTo(this.server.database, head);
  }

  private async act(one: Inhabitant, tab: Tab): Promise<void> {
    const { device } = one;
    if (tab.session.kind !== 'signed-in') return;
    const personId = tab.session.user.id;
    const request = decide(one.parts, await look(device, tab));
    const answer = await tab.life.pass(tab.service.send(request));
    if (!answer.ok) {
      this.note(`${tab.name} refuses at once ${request.name}: ${answer.error.message}`);
      return;
    }
    const { commandId } = answer.value;
    this.places += 1;
    this.note(`${tab.name} keeps ${request.name} ${commandId} ${JSON.stringify(request.args)}`);
    const sentAtMs = this.clock.now();
    this.oracle.accepted({ commandId, request, device: device.name, personId, sentAtMs, place: this.places });
  }

  private async crash({ device }: Inhabitant, turns: number): Promise<void> {
    const tab = device.tabs[0];
    if (tab === undefined) return;
    tab.life.thaw();
    const reopenMs = this.random.between(100, REOPEN_MS);
    // Counted from the end of the tab, which may take its time: a person sees that it is gone, not that it will be.
    device.killWithin(tab, turns, () => {
      this.clock.after(reopenMs, () => {
        if (device.tabs.length === 0 && !this.isOver) device.openTab();
      });
    });
    this.parts.breakage?.atCrash?.(device);
  }

  /** Whatever a device had that the server hasn't is lost with its storage; only that may be. */
  private async evict({ device }: Inhabitant): Promise<void> {
    device.killAll();
    for (const { commandId } of this.oracle.intentsOf(device.name)) this.oracle.evicted.add(commandId);
    device.disk.evict();
    device.openTab();
  }

  private async damage({ device }: Inhabitant, how: 'removed' | 'newer' | 'garbage'): Promise<void> {
    const names = (await device.disk.databaseNames()).filter((name) => name.includes('-packed-'));
    if (names.length === 0) return;
    const name = this.random.pick(names);
    this.note(`${device.name}: ${name} is ${how}`);
    this.damagedAtMs.set(device, this.clock.now());
    if (how === 'removed') await device.disk.remove(name);
    else if (how === 'newer') await device.disk.raiseVersion(name);
    else await device.disk.rewrite(name, 'pages', (page) => ({ ...page, body: '[{"id":' }));
  }

  private async signOut(one: Inhabitant, keepOutbox: boolean): Promise<void> {
    const { device } = one;
    const tab = device.liveTab();
    if (tab?.session.kind !== 'signed-in') return;
    const { storeName } = tab.session.user;
    one.user = null;
    if (!keepOutbox) this.forgetUnsent(device);
    await tab.life.pass(tab.service.signOut({ keepOutbox }));
    for (const name of await device.disk.databaseNames()) {
      if (!name.includes(storeName) || (keepOutbox && name.endsWith('-outbox'))) continue;
      const tables = Object.values(await device.disk.readAll(name));
      if (tables.some((rows) => rows.length > 0))
        this.oracle.break(
          'user data',
          `after signing out ${device.name} (${device.tabs.length} tabs) still has what is in ${name}`,
        );
    }
  }

  /** What wasn't sent goes with a sign-out that keeps nothing: the user was asked. */
  private forgetUnsent(device: SimDevice): void {
    for (const { commandId } of this.oracle.intentsOf(device.name)) this.oracle.dropped.add(commandId);
  }

  private async removeSomething(): Promise<void> {
    const comments = [...this.oracle.intents.values()].flatMap(({ request }) =>
      request.name === 'add_comment' ? [request.args.id] : [],
    );
    if (comments.length === 0) return;
    const id = this.random.pick(comments);
    if ((await removeComment(this.server.database, id)) > 0) this.removed.add(id);
  }

  private onServer(request: WireRequest, answer: WireAnswer, from: Caller): void {
    if (routeOf(request) !== COMMANDS_PATH || answer.status !== 200) return;
    const batch = commandBatchSchema.safeParse(JSON.parse(request.body ?? 'null'));
    if (!batch.success) return;
    const done = commandAnswerSchema.parse(JSON.parse(answer.body));
    this.oracle.answered(batch.data, done, { worker: from.worker, atMs: this.clock.now() });
    const told = done.results.map(({ commandId, outcome }) => `${commandId.slice(0, 8)} ${outcome.kind}`);
    this.note(
      `${from.worker} sent ${batch.data.commands.length}: ${told.join(', ')}${done.isOutOfOrder ? ' (gap)' : ''}`,
    );
  }

  private onAnswer(request: WireRequest, answer: WireAnswer, from: Caller): void {
    if (answer.status >= 500 && routeOf(request) === COMMANDS_PATH) {
      this.people.find(({ device }) => device.link === from.link)?.device.onServerTrouble();
    }
  }

  private onReport(device: SimDevice, error: unknown): void {
    this.reports.push(error);
    // The device puts it right by itself, but nothing else than damage may bring it about.
    const damagedAtMs = this.damagedAtMs.get(device) ?? Number.NEGATIVE_INFINITY;
    const isDamaged = this.clock.now() - damagedAtMs < UNNOTICED_MS;
    if (error instanceof DifferenceError && !isDamaged)
      this.oracle.break('convergence', `${device.name} ${String(error.cause)}`);
    this.note(`${device.name} reports ${String(error)}`);
  }
}

/** The dice of a world. */
export function worldRandom(seed: number): Random {
  return createRandom(`world ${seed}`);
}
