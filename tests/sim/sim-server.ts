/**
 * The real server of a simulated world: its routes on PGlite in memory, asked without sockets, on the world's
 * clock. One is made for many runs; `reset` empties it and draws a new epoch. Whatever it does counts as under
 * way, so that time waits for it.
 */
import { pino } from 'pino';
import type { CheckService } from '../../server/checks/check-service.ts';
import type { Database } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openPgliteDatabase } from '../../server/db/pglite-database.ts';
import type { Platform } from '../../server/platform.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import type { Random } from './seeded-random.ts';
import { emptyServer, grantRoles, insertSeedRows, revokeSessions, type SeedRows } from './sim-query.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { StreamReader, Wire, WireAnswer, WireRequest, WireStream } from './wire.ts';

export const ORIGIN_HOST = 'holdfast.test';

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

/** Time waits for every call of the database. */
function held(db: Database, present: () => Present): Database {
  const hold = <T>(work: Promise<T>) => present().clock.hold(work);
  return {
    kind: db.kind,
    rows: <Row>(...call: Parameters<Database['rows']>) => hold(db.rows<Row>(...call)),
    text: (...call) => hold(db.text(...call)),
    run: (...call) => hold(db.run(...call)),
    script: (sql) => hold(db.script(sql)),
    transaction: (work) => hold(db.transaction(work)),
    close: () => db.close(),
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

export class SimServer implements Wire {
  readonly runs: CheckRun[] = [];
  private present: Present;
  private readonly test: TestServer;
  private readonly db: Database;
  private readonly closeDb: () => Promise<void>;
  private addresses = 0;

  private constructor(parts: {
    test: TestServer;
    db: Database;
    present: Present;
    close: () => Promise<void>;
  }) {
    this.test = parts.test;
    this.db = parts.db;
    this.present = parts.present;
    this.closeDb = parts.close;
  }

  static async start(tools: { clock: VirtualClock; random: Random }): Promise<SimServer> {
    const first: Present = { ...tools, sleepers: new Set() };
    const logger = pino({ level: process.env['SIM_LOG'] ?? 'silent' });
    const bare = await openPgliteDatabase({ folder: null, logger });
    await migrate(bare, logger);
    let server: SimServer | null = null;
    const present = () => server?.present ?? first;
    const checks: CheckService = {
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
      runCheckNow(checkId) {
        server?.runs.push({ checkId, atMs: present().clock.now() });
        return Promise.resolve(null);
      },
      stats: () => ({ scheduled: 0, running: 0, completed: 0, failed: 0 }),
    };
    const db = held(bare, present);
    const test = await startTestServer(db, { platform: createPlatform(present), checks });
    server = new SimServer({ test, db, present: first, close: () => bare.close() });
    return server;
  }

  /** An account that lives through all runs; its roles are given by `reset`. */
  async account(): Promise<Account> {
    return this.test.account('admin');
  }

  /** A new world on the same server: nothing of the last one is left. */
  async reset(tools: { clock: VirtualClock; random: Random }, seed: SeedRows): Promise<void> {
    const before = this.present;
    this.present = { ...tools, sleepers: new Set() };
    this.runs.length = 0;
    await emptyServer(this.db);
    for (const wake of Array.from(before.sleepers)) wake();
    await this.present.clock.settle();
    await insertSeedRows(this.db, seed);
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
      this.test.app.inject({ ...this.inject(request), payloadAsStream: true }),
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

  /** Lets the server's own loops come to rest; the world's clock has to go on meanwhile. */
  async stop(): Promise<void> {
    const stopping = this.test.stop();
    let isStopped = false;
    void stopping.then(() => {
      isStopped = true;
    });
    await this.present.clock.runUntil(() => isStopped, { everyMs: 1000, forMs: 120_000 });
    await this.closeDb();
  }

  private async ask(request: WireRequest): Promise<WireAnswer> {
    const response = await this.test.app.inject(this.inject(request));
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
