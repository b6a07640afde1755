/** For tests only: the topology service on a database and a folder, with lookups that run as checks do. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { runLookup } from '../../health/running/run-lookup.ts';
import { createSecretReader } from '../../health/kind/secret-values.ts';
import { createSealer } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/db/database.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import { createChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { createTopologyService } from '../topology-service.ts';
import type { RunDetails, TopologyLimits } from '../running/run-topology.ts';

const silent = pino({ level: 'silent' });

export interface TestComponent {
  id: string;
  name: string;
  type: string | null;
  parent: string | null;
  status: string;
  health: string | null;
  external_id: string;
  properties: unknown;
  is_leaf: boolean;
  path: string;
  summary: unknown;
}

interface Options {
  isExecAllowed?: boolean;
  egressAllow?: string[];
  limits?: TopologyLimits;
}

async function startParts(db: Database, { isExecAllowed = false, egressAllow = [], limits }: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-topologies-'));
  const expressions = createExpressions();
  const sealer = createSealer(Buffer.alloc(32, 1), nodePlatform);
  const notifier = createChangeNotifier(nodePlatform);
  const context = {
    platform: nodePlatform,
    guard: createServerGuard({ egressAllow, egressDeny: [], databaseUrl: null }),
    isExecAllowed,
    secret: createSecretReader(folder),
    catalog: async () => [],
  };
  const service = createTopologyService({
    db,
    limits,
    settings: { topologiesDir: folder },
    platform: nodePlatform,
    logger: silent,
    sealer,
    leases: createLeases({ db, platform: nodePlatform, logger: silent, isAlone: true }),
    notifier,
    notify: (table) => notifier.notify(table),
    lookups: { lookUp: (request) => runLookup({ db, sealer, expressions, context }, request) },
  });
  return { folder, expressions, service };
}

/** One for each test file and database; `stop` ends what it started. */
export async function topologySetting(db: Database, options: Options = {}) {
  const { folder, expressions, service } = await startParts(db, options);
  const idOf = async (name: string) =>
    (await db.text('select id::text from topologies where name = $1 and deleted_at is null', [name])) ?? '';
  return {
    service,
    folder,
    expressions,
    idOf,
    write: (file: string, text: string) => writeFile(join(folder, file), text),
    remove: (file: string) => rm(join(folder, file)),
    /** Builds the topology of that name now. */
    async run(name: string): Promise<RunDetails> {
      const result = await service.runNow(await idOf(name));
      if (typeof result === 'string') throw new Error(`${name} is ${result}`);
      return result;
    },
    /** A topology as users keep it, built when asked. */
    async add(name: string, spec: object): Promise<string> {
      await db.run(
        `insert into topologies (name, namespace, source, spec) values ($1, 'default', 'UI', $2::jsonb)`,
        [name, JSON.stringify({ schedule: '@never', ...spec })],
      );
      return idOf(name);
    },
    edit: (name: string, spec: object) =>
      db.run('update topologies set spec = $2::jsonb where name = $1 and deleted_at is null', [
        name,
        JSON.stringify({ schedule: '@never', ...spec }),
      ]),
    /** Live components of a topology, by name. */
    components: (name: string) =>
      db.rows(
        z.custom<TestComponent>(),
        `select own.id, own.name, own.type, parent.name as parent, own.status, own.health, own.external_id,
           own.properties, own.is_leaf, own.path, own.summary
         from components as own join topologies on topologies.id = own.topology_id
         left join components as parent on parent.id = own.parent_id
         where topologies.name = $1 and own.deleted_at is null order by own.name, own.id`,
        [name],
      ),
    async stop(): Promise<void> {
      await service.stop(5000);
      await expressions.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type TopologySetting = Awaited<ReturnType<typeof topologySetting>>;
