/** Log backends of files in LOG_BACKENDS_DIR, which is watched: their rows follow the files. */
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import { DocumentRegistry } from '../../platform/documents/document-registry.ts';
import { followSources } from '../../platform/documents/document-sources.ts';
import { noteReading } from '../../platform/jobs/job-history-query.ts';
import type { Logger } from '../../platform/logger.ts';
import { readYamlFile } from '../../platform/yaml/yaml-file.ts';
import { readLogBackendDocument } from './log-backend-document.ts';
import type { FileLogBackend } from './log-backend-document.ts';
import {
  deleteLogBackends,
  ensureRefusedLogBackend,
  logBackendsOfSource,
  logBackendSources,
  saveFileLogBackend,
} from './log-backend-files-query.ts';

interface FilesDeps {
  db: Database;
  sealer: Opener;
  logger: Logger;
  notify: (...tables: string[]) => void;
  settings: { logBackendsDir: string | null };
}

/** Takes over what is there and follows its changes; answers how to end that. */
function follow(deps: FilesDeps): Promise<() => Promise<void>> {
  const registry = new DocumentRegistry(deps, {
    noun: 'log backend',
    nameOf: (read: FileLogBackend) => read,
    // Its row keeps the specification that it had, and that is what is read.
    runsOnWhenRefused: true,
    sources: logBackendSources,
    ofSource: logBackendsOfSource,
    async save(tx, read, file) {
      const id = await saveFileLogBackend(tx, read, file);
      return { id, trust: 'operator' as const, author: 'operator' };
    },
    ensureRefused: (tx, { name }, file) => ensureRefusedLogBackend(tx, name, file),
    remove: deleteLogBackends,
    // Rows that users write are read when somebody looks at logs.
    stored: () => Promise.resolve([]),
    readStored: () => null,
    takeStored: () => Promise.reject(new Error('log backends of the database are not taken over')),
    note: (tx, id, problems) =>
      noteReading(
        tx,
        { name: 'SyncLogBackend', resourceType: 'logging_backend', resourceId: id },
        problems.map(({ message }) => message),
      ),
    start: () => undefined,
    stop: () => undefined,
    changed: () => deps.notify('logging_backends', 'job_history'),
  });
  return followSources({
    ...deps,
    folder: deps.settings.logBackendsDir,
    registry,
    readFile: (file, text) => readYamlFile({ file, text }, readLogBackendDocument),
    own: new Map<string, readonly object[]>(),
    readOwn: () => {
      throw new Error('there are no built-in log backends');
    },
  });
}

export interface LogBackendFiles {
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** One for the server. */
export function createLogBackendFiles(deps: FilesDeps): LogBackendFiles {
  let stop: (() => Promise<void>) | null = null;
  return {
    async start() {
      stop = await follow(deps);
    },
    async stop() {
      await stop?.();
    },
  };
}
