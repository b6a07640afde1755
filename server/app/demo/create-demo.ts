/**
 * `--demo`: a made-up company to look at. Its checks and its scraper are documents like anybody's and run against
 * services of its own; people, teams, incidents and the rest come in through accounts, the data API and commands.
 * Loaded once; `npm run demo:remove` takes it away again (remove-demo.ts).
 */
import { z } from 'zod';
import type { CommandService } from '../../replication/commands/command-service.ts';
import type { DataApi } from '../../replication/data-api/data-api.ts';
import type { Database } from '../../platform/db/database.ts';
import { createAccount } from '../../access/identity/accounts/accounts.ts';
import { runLoop } from '../../platform/jobs/background-loop.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { DEMO_SOURCE } from '../../../src/domain/demo.ts';
import { componentStates } from './component-states.ts';
import { CATALOG_PATH, demoCatalog, demoScraper } from './demo-catalog.ts';
import { demoCanaries } from './demo-canaries.ts';
import { createDemoClient, quotedList } from './demo-client.ts';
import type { DemoClient } from './demo-client.ts';
import { DEMO_PEOPLE, mailOf } from './demo-company.ts';
import { LAST_DEMO_ENTITY, demoIncidentCommands } from './demo-incidents.ts';
import { DEMO_TOPOLOGY_ID, demoRows } from './demo-records.ts';
import type { PeopleIds } from './demo-records.ts';
import { readSubjects } from './read-subjects.ts';
import { startDemoServices } from './demo-services.ts';
import { sendCommands } from './send-commands.ts';

const PASSWORD_BYTES = 24;
const WAIT_MS = 1000;
/** The first scrape and the first runs of all checks take some seconds; on a busy machine a minute. */
const WAIT_LIMIT_MS = 180_000;
const STATES_EVERY_MS = 15_000;

export interface Demo {
  /** Canary documents by source; none for the demo's source where no demo is wanted, which ends an earlier one's. */
  canaries: ReadonlyMap<string, readonly object[]>;
  scrapers: ReadonlyMap<string, readonly object[]>;
  /** Loads what is not there yet, then keeps the components in step with their checks until the signal aborts. */
  run(deps: DemoDeps, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface DemoDeps {
  db: Database;
  dataApi: Pick<DataApi, 'handle'>;
  commands: Pick<CommandService, 'handle'>;
  platform: Platform;
  logger: Logger;
}

const idRow = z.object({ id: z.string() });
const stateRow = z.object({
  namespace: z.string().nullable(),
  canary_name: z.string().nullable(),
  status: z.string().nullable(),
});
const componentRow = z.object({ id: z.string(), health: z.string().nullable() });
const personRow = z.object({ id: z.string(), email: z.string() });

/** Accounts that nobody knows the password of: they are authors, not ways in. */
async function ensurePeople({ db, platform }: DemoDeps, client: DemoClient): Promise<PeopleIds> {
  const mails = DEMO_PEOPLE.map(mailOf);
  const search = `select=id,email&deleted_at=is.null&email=in.(${quotedList(mails)})`;
  const known = await client.read({ table: 'people', search, row: personRow });
  const people: [(typeof DEMO_PEOPLE)[number]['key'], string][] = [];
  for (const person of DEMO_PEOPLE) {
    const email = mailOf(person);
    const found = known.find((row) => row.email === email)?.id;
    const { first: firstName, last: lastName, role } = person;
    const account = { email, firstName, lastName, roles: [role] };
    const id =
      found ?? (await createAccount(db, platform, { ...account, password: platform.secret(PASSWORD_BYTES) }));
    people.push([person.key, id]);
  }
  return new Map(people);
}

async function isLoaded(client: DemoClient): Promise<boolean> {
  const search = `select=id&id=eq.${LAST_DEMO_ENTITY}`;
  return (await client.read({ table: 'responders', search, row: idRow })).length > 0;
}

async function load(deps: DemoDeps, client: DemoClient, signal: AbortSignal): Promise<void> {
  const { platform } = deps;
  if (await isLoaded(client)) return;
  const people = await ensurePeople(deps, client);
  for (const rows of demoRows(people)) await client.write(rows, people.get('ada') ?? '');
  const endsMs = platform.now() + WAIT_LIMIT_MS;
  let subjects = await readSubjects(client);
  while (subjects === null && !signal.aborted && platform.now() < endsMs) {
    await platform.sleep(WAIT_MS, signal);
    subjects = await readSubjects(client);
  }
  if (subjects === null || signal.aborted) return;
  await sendCommands({ ...deps, client, people }, demoIncidentCommands(people, subjects));
  deps.logger.info('the demo is loaded; `npm run demo:remove` takes it away');
}

async function updateStates(client: DemoClient): Promise<void> {
  const checks = await client.read({
    table: 'check_summary',
    search: `select=namespace,canary_name,status`,
    row: stateRow,
  });
  const search = `select=id,health&deleted_at=is.null&topology_id=eq.${DEMO_TOPOLOGY_ID}`;
  const components = await client.read({ table: 'components', search, row: componentRow });
  const before = new Map(components.map(({ id, health }) => [id, health]));
  for (const { id, health } of componentStates(checks)) {
    if (!before.has(id) || before.get(id) === health) continue;
    await client.change({ table: 'components', id }, { health, status: health });
  }
}

function runDemo(deps: DemoDeps, signal: AbortSignal): Promise<void> {
  const client = createDemoClient(deps);
  let isThere = false;
  const run = async () => {
    if (!isThere) await load(deps, client, signal);
    isThere = true;
    await updateStates(client);
  };
  const loop = { name: 'demo', everyMs: STATES_EVERY_MS, slowestRetryMs: STATES_EVERY_MS, run };
  return runLoop(deps, loop, signal);
}

/** The demo with the services behind its checks and its scraper; an empty one where none is wanted. */
export async function openDemo(isWanted: boolean, platform: Platform): Promise<Demo> {
  if (!isWanted) {
    const none = new Map([[DEMO_SOURCE, []]]);
    return { canaries: none, scrapers: none, run: () => Promise.resolve(), stop: () => Promise.resolve() };
  }
  const services = await startDemoServices(platform, {
    [CATALOG_PATH]: () => demoCatalog(platform.now()),
  });
  return {
    canaries: new Map([[DEMO_SOURCE, demoCanaries(services)]]),
    scrapers: new Map([[DEMO_SOURCE, [demoScraper(services.httpUrl)]]]),
    run: runDemo,
    stop: () => services.stop(),
  };
}
