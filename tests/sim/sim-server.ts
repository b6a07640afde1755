/**
 * The real server of a simulated world: its routes on a database, asked without sockets, on the world's clock. Its
 * database is made once for many runs and restored before each, so that a run is the same whatever ran before it.
 * Whatever it does counts as under way, so that time waits for it.
 */
import { pino } from 'pino';
import type { CheckService } from '../../server/health/check-service.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { openPgliteDatabase } from '../../server/platform/db/pglite-database.ts';
import type { Platform } from '../../server/platform/platform.ts';
import { preparedDatabases } from '../prepared-databases.ts';
import { PASSWORD, startTestServer, type TestServer } from '../security/support/test-server.ts';
import type { Random } from './seeded-random.ts';
import { createAccount } from '../../server/access/identity/accounts/accounts.ts';
import { inTheWorldsOrder } from './sim-database.ts';
import {
  keepAll,
  grantRoles,
  insertSeedRows,
  restoreAll,
  revokeSessions,
  type SeedRows,
} from './sim-query.ts';
import type { VirtualClock } from './virtual-clock.ts';
import {
  routeOf,
  SMALL_SNAPSHOTS_PATH,
  type StreamReader,
  type Wire,
  type WireAnswer,
  type WireRequest,
  type WireStream,
} from './wire.ts';

export const ORIGIN_HOST = 'holdfast.test';

const logger = pino({ level: process.env['SIM_LOG'] ?? 'silent' });

export interface Account {
  email: string;
  id: string;
}

/** A check that the server ran because somebody asked. */
export interface CheckRun {
  checkId: string;
  atMs: number;
}

/** Clock and dice of the present run; the server lives longer than any of them. */
interface Present {
  clock: VirtualClock;
  random: Random;
  /** Wakes what sleeps; when a run begins all loops of the server begin anew. */
  sleepers: Set<() => void>;
}

/** Opens a database with our tables and nothing in them. */
export type OpenSimDatabase = () => Promise<Database>;

/** PGlite in memory, which needs nothing else to run. */
export async function openSimPglite(): Promise<Database> {
  const { migratedImage } = await preparedDatabases();
  return openPgliteDatabase({ folder: null, image: migratedImage, logger });
}

/** Sleeps of about half a second are loops that look whether something happened; they are woken when it did. */
const POLLING_MS = { from: 500, to: 1000, lasts: 4000 };

function ulidAsUuid(nowMs: number, random: Random): string {
  const hex = nowMs.toString(16).padStart(12, '0') + random.hex(10);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function createPlatform(present: () => Present): Platform {
  return {
    now: () => present().clock.now(),
    newId: () => ulidAsUuid(present().clock.now(), present().random),
    random: () => present().random.next(),
    secret: (sizeBytes) => present().random.hex(sizeBytes),
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        const { clock, sleepers } = present();
        const done = () => {
          cancel();
          sleepers.delete(done);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const isPolling = delayMs >= POLLING_MS.from && delayMs <= POLLING_MS.to;
        sleepers.add(done);
        const cancel = clock.after(isPolling ? POLLING_MS.lasts : delayMs, done);
        signal?.addEventListener('abort', done, { once: true });
      }),
  };
}

function readEvents(source: NodeJS.ReadableStream, reader: StreamReader): void {
  let text = '';
  source.on('data', (part: Buffer | string) => {
    text += part.toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event !== undefined && data !== undefined) reader.onEvent(event, data);
    }
  });
  source.on('close', () => reader.onEnd());
  source.on('error', () => reader.onEnd());
}

/** Runs nothing: notes what is asked for. */
function notingChecks(runs: CheckRun[], now: () => number): CheckService {
  return {
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    runCheckNow(checkId) {
      runs.push({ checkId, atMs: now() });
      return Promise.resolve(null);
    },
    tryChecks: () => Promise.resolve([]),
    takePosted: () => Promise.resolve('unknown'),
    figuresText: () => '',
    stats: () => ({ scheduled: 0, running: 0, completed: 0, failed: 0 }),
  };
}

export class SimServer implements Wire {
  readonly runs: CheckRun[] = [];
  private readonly accounts: Account[] = [];
  private present: Present;
  private test: TestServer | null = null;
  private readonly db: Database;
  private readonly platform: Platform;
  private readonly closeDb: () => Promise<void>;
  private addresses = 0;
  /** Every other world has a server of a version that tells its collections only one by one. */
  private isOlder = false;

  private constructor(bare: Database, tools: { clock: VirtualClock; random: Random }) {
    this.present = { ...tools, sleepers: new Set() };
    this.db = inTheWorldsOrder(bare, () => this.present.clock);
    this.platform = createPlatform(() => this.present);
    this.closeDb = () => bare.close();
  }

  /** To be driven by the clock: its database is asked in the world's order from the beginning. */
  static async start(
    open: OpenSimDatabase,
    tools: { clock: VirtualClock; random: Random },
    people: number,
  ): Promise<SimServer> {
    const server = new SimServer(await open(), tools);
    for (let at = 0; at < people; at += 1) await server.addAccount(`user-${at}@example.com`);
    await keepAll(server.db);
    return server;
  }

  /** The people of every run. */
  everybody(): readonly Account[] {
    return this.accounts;
  }

  /** A new world: the same people, a new server on a database of which nothing else is left. */
  async begin(tools: { clock: VirtualClock; random: Random }, seed: SeedRows): Promise<void> {
    this.present = { ...tools, sleepers: new Set() };
    this.runs.length = 0;
    const epoch = tools.random.hex(6);
    this.isOlder = Number.parseInt(epoch, 16) % 2 === 1;
    await restoreAll(this.db, epoch);
    const checks = notingChecks(this.runs, () => this.present.clock.now());
    this.test = await this.present.clock.hold(
      startTestServer(this.db, { platform: this.platform, checks, logger }),
      'the start of the server',
    );
    await insertSeedRows(this.db, seed);
  }

  /** Ends the present world's server; what is still on its way to it finds nobody. */
  async end(): Promise<void> {
    const { test } = this;
    this.test = null;
    if (test !== null) await this.present.clock.hold(test.stop(), 'the end of the server');
  }

  grant(account: Account, roles: readonly string[]): Promise<void> {
    return grantRoles(this.db, account.id, roles);
  }

  /** Ends every session of an account, as an administrator does. */
  revokeSessions(account: Account): Promise<void> {
    return revokeSessions(this.db, account.id, new Date(this.present.clock.now()));
  }

  get database(): Database {
    return this.db;
  }

  request(request: WireRequest): Promise<WireAnswer> {
    return this.present.clock.hold(this.ask(request), `${request.method} ${request.path}`);
  }

  async stream(request: WireRequest, reader: StreamReader): Promise<WireStream> {
    const response = await this.present.clock.hold(
      this.app().inject({ ...this.inject(request), payloadAsStream: true }),
      `stream ${request.path}`,
    );
    const source = response.stream();
    if (response.statusCode !== 200) {
      source.destroy();
      throw new Error(String(response.statusCode));
    }
    readEvents(source, reader);
    return { close: () => source.destroy() };
  }

  close(): Promise<void> {
    return this.closeDb();
  }

  private async addAccount(email: string): Promise<void> {
    const request = { email, firstName: 'Sim', lastName: email, password: PASSWORD, roles: ['admin'] };
    this.accounts.push({ email, id: await createAccount(this.db, this.platform, request) });
  }

  private app() {
    if (this.test === null) throw new Error('there is no server between two worlds');
    return this.test.app;
  }

  private async ask(asked: WireRequest): Promise<WireAnswer> {
    const isUnknown = this.isOlder && routeOf(asked) === SMALL_SNAPSHOTS_PATH;
    const request = isUnknown ? { ...asked, path: '/api/sync/unknown' } : asked;
    const response = await this.app().inject(this.inject(request));
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) {
      if (name !== 'set-cookie' && value !== undefined) headers[name] = String(value);
    }
    // The stand-in for a socket stamps the machine's time.
    headers['date'] = new Date(this.present.clock.now()).toUTCString();
    const cookies = response.headers['set-cookie'] ?? [];
    const setCookies = Array.isArray(cookies) ? cookies : [cookies];
    return { status: response.statusCode, headers, setCookies, body: response.body };
  }

  private inject({ method, path, headers, body }: WireRequest) {
    // Limits per address count the machine's minutes, of which a run has none: each request has its own address.
    this.addresses += 1;
    const [high, low] = [(this.addresses >> 8) & 255, this.addresses & 255];
    return {
      method: method as 'GET',
      url: path,
      headers: { host: ORIGIN_HOST, 'sec-fetch-site': 'same-origin', ...headers },
      remoteAddress: `10.${(this.addresses >> 16) & 255}.${high}.${low}`,
      ...(body === null ? {} : { payload: body }),
    };
  }
}
