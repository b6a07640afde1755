/**
 * Puts the running of checks together: documents from files, the database and the program itself go into the
 * registry, the scheduler runs them, results are stored. Implements the door check-service.ts.
 */
import { hostname } from 'node:os';
import { runResultSchema } from '../../src/contract/http/canary.ts';
import type { RunResult } from '../../src/contract/http/canary.ts';
import type { NudgeHub } from '../change-log/nudge-hub.ts';
import type { Database } from '../db/database.ts';
import { createEgressGuard } from '../egress/egress-guard.ts';
import { ownNetworks, resolveBySystem } from '../egress/platform-network.ts';
import type { Logger } from '../logger.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import {
  databaseCanaries,
  databaseMark,
  canariesOfSource,
  disabledKinds,
  fileSources,
  isKnownCheck,
} from './canaries/canary-query.ts';
import { createCanaryRegistry } from './canaries/canary-registry.ts';
import type { CanaryRegistry } from './canaries/canary-registry.ts';
import { openCanaryFiles } from './canaries/canary-files.ts';
import type { CheckService } from './check-service.ts';
import { DEMO_SOURCE, demoCanaries } from './demo/demo-estate.ts';
import { startDemoServices } from './demo/demo-services.ts';
import type { DemoServices } from './demo/demo-services.ts';
import { readCanary } from './documents/canary-document.ts';
import { readCanaryFile } from './documents/canary-file.ts';
import type { FileCanary } from './documents/canary-file.ts';
import { createExpressions } from './expressions/expression-thread.ts';
import { createSecretReader } from './kinds/secret-values.ts';
import { runMaintenance } from './results/maintenance.ts';
import { createResultWriter } from './results/result-writer.ts';
import { createCanaryRunner } from './running/run-canary.ts';
import type { Outcome } from './running/outcome.ts';
import { createScheduler } from './scheduling/scheduler.ts';
import { SELF_SOURCE, selfCanary } from './self-watch.ts';

/** How many checks' canaries run at once. */
const CONCURRENCY = 50;
const DATABASE_POLL_MS = 3000;

interface CheckServiceDeps {
  db: Database;
  nudges: NudgeHub;
  settings: Settings;
  logger: Logger;
  platform: Platform;
  /** The server's own address. */
  url: string;
}

/** Documents of ours are right by construction; one that isn't is a bug to be seen at once. */
function ownDocument(document: object): FileCanary {
  const read = readCanary(document, 'holdfast');
  if (!read.ok) throw new Error(`a built-in canary is wrong: ${JSON.stringify(read.problems)}`);
  return read;
}

function resultOf(outcome: Outcome | undefined): RunResult | null {
  if (outcome === undefined) return null;
  const { pass, invalid, durationMs, message, error } = outcome;
  return runResultSchema.parse({
    name: outcome.entry.name,
    pass,
    invalid,
    duration: Math.round(durationMs),
    message,
    error,
  });
}

/** Where the server's own PostgreSQL listens; PGlite has no port. */
function databasePlace(databaseUrl: string | null): { host: string; port: number } | null {
  if (databaseUrl === null || !URL.canParse(databaseUrl)) return null;
  const url = new URL(databaseUrl);
  return { host: url.hostname, port: Number(url.port || 5432) };
}

/** The documents that come from outside the database; answers how to stop following them. */
function createSources(deps: CheckServiceDeps & { registry: CanaryRegistry }) {
  const { db, settings, logger, platform, registry, url } = deps;
  let demo: DemoServices | null = null;
  let stopWatching: (() => Promise<void>) | null = null;

  const takeFile = (file: string, text: string | null): void => {
    registry
      .replaceSource(file, text === null ? [] : readCanaryFile(file, text))
      .catch((error: unknown) => logger.error({ err: error, file }, 'a canary file could not be taken over'));
  };

  const followFiles = async () => {
    const present = new Set<string>();
    if (settings.canariesDir !== null) {
      const files = openCanaryFiles(settings.canariesDir, logger);
      stopWatching = await files.watch(takeFile);
      for (const file of await files.list()) {
        present.add(file);
        await registry.replaceSource(file, readCanaryFile(file, await files.read(file)));
      }
    }
    for (const source of await fileSources(db))
      if (!present.has(source)) await registry.replaceSource(source, []);
  };

  return {
    async start() {
      await followFiles();
      if (settings.isDemo) demo = await startDemoServices(platform);
      await registry.replaceSource(DEMO_SOURCE, demo === null ? [] : demoCanaries(demo).map(ownDocument));
    },
    /** The server watches itself while nobody gave it anything else, and beside the demo. */
    async watchSelf() {
      const isAlone = settings.canariesDir === null && (await databaseCanaries(db)).length === 0;
      const facts = {
        url,
        dataDir: settings.dataDir,
        hostname: hostname(),
        isFileDatabase: db.kind === 'pglite',
      };
      const documents = isAlone || settings.isDemo ? [ownDocument(selfCanary(facts))] : [];
      const isThere = (await canariesOfSource(db, SELF_SOURCE)).length > 0;
      if (documents.length > 0 || isThere) await registry.replaceSource(SELF_SOURCE, documents);
    },
    async stop() {
      await stopWatching?.();
      await demo?.stop();
    },
  };
}

export function createCheckService(deps: CheckServiceDeps): CheckService {
  const { db, nudges, settings, logger, platform } = deps;
  const stopping = new AbortController();
  const expressions = createExpressions();
  const writer = createResultWriter({ db, nudges, platform, logger });
  let disabled = new Set<string>();
  let background: Promise<unknown> = Promise.resolve();

  const scheduler = createScheduler({
    platform,
    logger,
    concurrency: CONCURRENCY,
    async runCanary(id, signal) {
      const canary = registry.get(id);
      if (canary !== undefined) await runner.run(canary, signal);
    },
  });
  const registry = createCanaryRegistry({ db, nudges, scheduler, logger });
  const runner = createCanaryRunner({
    db,
    writer,
    expressions,
    nextRunMs: (id) => scheduler.nextRunMs(id),
    isDisabled: (kind) => disabled.has(kind),
    context: {
      platform,
      guard: createEgressGuard({
        allow: settings.egressAllow,
        deny: settings.egressDeny,
        resolve: resolveBySystem,
        ownNetworks,
        ownDatabase: databasePlace(settings.databaseUrl),
      }),
      isExecAllowed: settings.isExecAllowed,
      secret: createSecretReader(settings.dataDir),
    },
  });
  const sources = createSources({ ...deps, registry });

  /** Canaries and properties in the database may change at any time, by any writer. */
  const followDatabase = async (signal: AbortSignal) => {
    let mark: string | null = null;
    while (!signal.aborted) {
      try {
        disabled = await disabledKinds(db);
        const now = await databaseMark(db);
        if (now !== mark) {
          await registry.syncDatabase();
          await sources.watchSelf();
          mark = await databaseMark(db);
        }
      } catch (error) {
        logger.error({ err: error }, 'canaries of the database could not be read');
      }
      await platform.sleep(DATABASE_POLL_MS, signal);
    }
  };

  return {
    async start() {
      await sources.start();
      background = Promise.all([
        followDatabase(stopping.signal),
        scheduler.run(stopping.signal),
        runMaintenance({ db, nudges, platform, logger }, stopping.signal),
      ]);
    },
    async stop(graceMs) {
      stopping.abort();
      await sources.stop();
      await Promise.race([background, platform.sleep(graceMs)]);
      await writer.flush();
      await expressions.close();
    },
    async runCheckNow(checkId) {
      for (const canary of registry.all()) {
        const key = [...canary.checkIds].find(([, id]) => id === checkId)?.[0];
        if (key === undefined) continue;
        const outcomes = await runner.run(
          canary,
          stopping.signal,
          ({ type, name }) => `${type}\n${name}` === key,
        );
        return resultOf(
          outcomes.find(({ entry, derived }) => derived === null && `${entry.type}\n${entry.name}` === key),
        );
      }
      return (await isKnownCheck(db, checkId)) ? null : 'unknown';
    },
    stats: () => ({ ...scheduler.stats(), ...runner.stats() }),
  };
}
