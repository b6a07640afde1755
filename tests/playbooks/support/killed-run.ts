/** For tests only: a run whose first server is killed, and which a second one ends. */
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import type { Database } from '../../../server/platform/db/database.ts';
import { createSecretReader } from '../../../server/health/kind/secret-values.ts';
import { createSealer } from '../../../server/platform/crypto/sealing.ts';
import { createServerGuard } from '../../../server/platform/egress/server-guard.ts';
import { createChangeNotifier } from '../../../server/platform/jobs/change-notifier.ts';
import { createLeases } from '../../../server/platform/jobs/leases.ts';
import { nodePlatform } from '../../../server/platform/platform.ts';
import { readPlaybook } from '../../../server/playbooks/requests/playbook-query.ts';
import { createPlaybookService } from '../../../server/playbooks/running/playbook-service.ts';
import { startRun } from '../../../server/playbooks/running/start-run.ts';
import type { DyingDatabase } from './dying-database.ts';
import { runWhen } from './playbook-setting.ts';
import type { TestRun } from './playbook-setting.ts';

const silent = pino({ level: 'silent' });
const GRACE_MS = 2000;

function serviceOn(db: Database) {
  const notifier = createChangeNotifier(nodePlatform);
  const leases = createLeases({ db, platform: nodePlatform, logger: silent, isAlone: true });
  const service = createPlaybookService({
    db,
    platform: nodePlatform,
    logger: silent,
    leases,
    notifier,
    notify: (...tables) => notifier.notify(...tables),
    guard: createServerGuard({ egressAllow: ['127.0.0.1'], egressDeny: [], databaseUrl: null }),
    secret: createSecretReader(tmpdir()),
    sealer: createSealer(Buffer.alloc(32, 7), nodePlatform),
    isExecAllowed: true,
  });
  return { service, leases };
}

/** Starts a run of the playbook on the server that dies, and answers how another one left it. */
export async function endedByAnother(
  db: Database,
  dying: DyingDatabase,
  playbookId: string,
): Promise<TestRun> {
  const first = serviceOn(dying.db);
  const playbook = await readPlaybook(db, playbookId);
  if (playbook === null) throw new Error('no playbook');
  const started = await startRun(
    { playbook, target: null, params: {}, person: null },
    {
      db,
      expressions: first.service.expressions,
      newId: () => nodePlatform.newId(),
      now: () => nodePlatform.now(),
      secret: (sizeBytes) => nodePlatform.secret(sizeBytes),
      sealer: createSealer(Buffer.alloc(32, 7), nodePlatform),
    },
  );
  await first.service.start();
  const isOver = runWhen(db, started.id, ({ status }) => status === 'completed' || dying.isDead());
  await Promise.race([dying.died, isOver]);
  // What runs when its server is killed goes on, and ends.
  await first.service.stop(GRACE_MS);
  const second = serviceOn(db);
  await second.leases.start();
  await second.service.start();
  const run = await runWhen(db, started.id);
  await second.service.stop(GRACE_MS);
  await second.leases.close();
  return run;
}

/** How each action ended, in order. */
export const outcomesOf = ({ actions }: TestRun): string[] =>
  actions.map(
    ({ name, status, result }) => `${name} ${result?.['interrupted'] === true ? 'interrupted' : status}`,
  );
