/** Playbooks of files in PLAYBOOKS_DIR, which is watched: their rows follow the files. */
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import { DocumentRegistry } from '../../platform/documents/document-registry.ts';
import { followSources } from '../../platform/documents/document-sources.ts';
import { noteReading } from '../../platform/jobs/job-history-query.ts';
import type { Logger } from '../../platform/logger.ts';
import { readYamlFile } from '../../platform/yaml/yaml-file.ts';
import { readPlaybookDocument } from './playbook-document.ts';
import type { FilePlaybook } from './playbook-document.ts';
import {
  deletePlaybooks,
  ensureRefusedPlaybook,
  playbooksOfSource,
  playbookSources,
  saveFilePlaybook,
} from './playbook-files-query.ts';

interface FilesDeps {
  db: Database;
  sealer: Opener;
  logger: Logger;
  notify: (...tables: string[]) => void;
  folder: string | null;
}

/** Takes over what is there and follows its changes; answers how to end that. */
export function followPlaybookFiles(deps: FilesDeps): Promise<() => Promise<void>> {
  const registry = new DocumentRegistry(deps, {
    noun: 'playbook',
    nameOf: (read: FilePlaybook) => read,
    // What runs has its specification as it was.
    runsOnWhenRefused: true,
    sources: playbookSources,
    ofSource: playbooksOfSource,
    async save(tx, { name, namespace, spec }, source) {
      const id = await saveFilePlaybook(tx, { name, namespace, source }, spec);
      return { id, trust: 'operator' as const, author: 'operator' };
    },
    ensureRefused: (tx, { name, namespace }, source) =>
      ensureRefusedPlaybook(tx, { name, namespace, source }),
    remove: deletePlaybooks,
    // Rows that users write are read when they are run.
    stored: () => Promise.resolve([]),
    readStored: () => null,
    takeStored: () => Promise.reject(new Error('playbooks of the database are not taken over')),
    note: (tx, id, problems) =>
      noteReading(
        tx,
        { name: 'SyncPlaybook', resourceType: 'playbook', resourceId: id },
        problems.map(({ message }) => message),
      ),
    start: () => undefined,
    stop: () => undefined,
    changed: () => deps.notify('playbooks', 'job_history'),
  });
  return followSources({
    ...deps,
    registry,
    readFile: (file, text) => readYamlFile({ file, text }, readPlaybookDocument),
    own: new Map<string, readonly object[]>(),
    readOwn: () => {
      throw new Error('there are no built-in playbooks');
    },
  });
}
