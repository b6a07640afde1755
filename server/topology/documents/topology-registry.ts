/** The topologies that are built, from files and the database: what the registry of documents has to know of them. */
import type { SpecAuthor } from '../../connections/secret-scope.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { DocumentKind } from '../../platform/documents/document-kind.ts';
import { DocumentRegistry } from '../../platform/documents/document-registry.ts';
import type { EgressTrust } from '../../platform/egress/egress-guard.ts';
import { noteReading } from '../../platform/jobs/job-history-query.ts';
import type { Scheduler } from '../../platform/jobs/scheduler.ts';
import type { Logger } from '../../platform/logger.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { textsOf } from '../build/draft.ts';
import { readingJob } from './topology-jobs.ts';
import { readTopologySpec, type Topology } from './topology-document.ts';
import {
  databaseTopologies,
  deleteTopologies,
  ensureRefusedTopology,
  saveFileTopology,
  topologiesOfSource,
  topologySources,
  type StoredTopology,
} from './topology-query.ts';

export interface RunningTopology {
  id: string;
  topology: Topology;
  source: string;
  trust: EgressTrust;
  author: SpecAuthor;
  /** Built only when somebody asks for it. */
  isPaused: boolean;
}

interface RegistryDeps {
  db: Database;
  sealer: Opener;
  scheduler: Pick<Scheduler, 'set' | 'remove'>;
  logger: Logger;
  notify: (table: string) => void;
}

interface ReadDocument {
  ok: true;
  topology: Topology;
}

type TopologyKind = DocumentKind<ReadDocument, StoredTopology, RunningTopology>;
export type TopologyRegistry = DocumentRegistry<ReadDocument, StoredTopology, RunningTopology>;

/** How they are saved and read. */
const TOPOLOGY_ROWS = {
  sources: topologySources,
  ofSource: topologiesOfSource,
  async save(tx, { topology }, source) {
    const { name, namespace, labels, written, spec } = topology;
    const row = { name, namespace, labels, source, spec: written, schedule: spec.schedule ?? null };
    const id = await saveFileTopology(tx, row);
    return { id, topology, source, trust: 'operator', author: 'operator', isPaused: false };
  },
  ensureRefused: (tx, { name, namespace }, source) => ensureRefusedTopology(tx, { name, namespace, source }),
  remove: deleteTopologies,
  stored: databaseTopologies,
  readStored({ name, namespace, labels, schedule }, spec) {
    const place = { name, namespace, schedule, labels: isRecord(labels) ? textsOf(labels) : {} };
    const read = readTopologySpec(place, spec);
    // An empty specification is one that is still to be written.
    return !read.ok && JSON.stringify(spec ?? {}) === '{}' ? null : read;
  },
  takeStored: (_tx, { id, is_granted: isGranted, is_paused: isPaused }, { topology }) =>
    Promise.resolve({
      id,
      topology,
      source: 'UI',
      trust: 'user',
      author: isGranted ? 'granter' : 'user',
      isPaused,
    }),
  note: (tx, id, problems) =>
    noteReading(
      tx,
      readingJob(id),
      problems.map(({ message }) => message),
    ),
} satisfies Partial<TopologyKind>;

/** Their documents, saved and told to the scheduler. */
export function createTopologyRegistry(deps: RegistryDeps): TopologyRegistry {
  const { scheduler, notify } = deps;
  return new DocumentRegistry(deps, {
    noun: 'topology',
    nameOf: ({ topology }) => topology,
    // What it built stays as long as nobody says what it is to be instead.
    runsOnWhenRefused: true,
    ...TOPOLOGY_ROWS,
    /** A changed document is built soon, whatever its schedule had in mind. */
    start({ id, topology, isPaused }, isSame) {
      if (isSame) return;
      scheduler.remove(id);
      if (!isPaused) scheduler.set(id, topology.schedule);
    },
    stop: (id) => scheduler.remove(id),
    changed: (by) => (by === 'file' ? notify('topologies') : undefined),
  } satisfies TopologyKind);
}
