/**
 * Scrapes a cluster: every resource it serves, or those of `watch`, as items, and its events as changes (schema
 * §5.2 kubernetes). A resource that can't be read is told and makes the scrape incomplete, so that nothing of it
 * is taken for deleted.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import { textOf, objectAt } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ScrapeContext, ScraperKind, ScrapeOutput } from '../../specs/scraped.ts';
import { inParallel } from '../services/in-parallel.ts';
import { output } from '../services/scraped-parts.ts';
import { discover } from './api-resources.ts';
import type { ApiResource } from './api-resources.ts';
import { eventChanges } from './event-change.ts';
import type { EventSpec } from './event-change.ts';
import { readExclusions } from './exclusions.ts';
import type { Exclusions, ExclusionSpec } from './exclusions.ts';
import { openCluster } from './kube-config.ts';
import type { Cluster } from './kube-config.ts';
import { listObjects } from './list-objects.ts';
import type { Selection } from './list-objects.ts';
import { readLookups } from './lookup-relationships.ts';
import type { RelationshipSpec } from './lookup-relationships.ts';
import { clusterItem, objectItem, relatedTo, servicesOfPods } from './object-item.ts';

const spec = SCRAPER_KINDS.kubernetes;

/** Each call is a connection of its own; the specification's 64 would be felt by the cluster. */
const MAX_AT_ONCE = 8;
/** Items of one scrape; more belong to more scrapers. */
const MAX_OBJECTS = 100_000;
const EVENTS: ApiResource = { group: '', version: 'v1', kind: 'Event', plural: 'events', isNamespaced: true };

interface Wanted {
  clusterName: string;
  scope: string;
  watch: readonly { apiVersion: string; kind: string }[];
  selection: Selection;
  exclusions: Exclusions;
  event: EventSpec;
  relationships: readonly RelationshipSpec[];
  atOnce: number;
  since: Date | null;
}

function readWanted(entry: Record<string, unknown>, context: ScrapeContext): Wanted {
  const given = spec.parse(entry);
  const sinceMs = given.since === undefined ? null : parseDuration(given.since);
  if (given.since !== undefined && sinceMs === null)
    throw new AppError('invalid', `since: "${given.since}" is no duration such as 2h`);
  const exclusions: ExclusionSpec = Array.isArray(given.exclusions)
    ? { name: given.exclusions }
    : (given.exclusions ?? {});
  return {
    clusterName: String(given.clusterName),
    scope: (given.scope ?? '').toLowerCase(),
    watch: given.watch ?? [],
    selection: {
      namespaces: (given.namespace ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      labelSelector: given.selector ?? '',
      fieldSelector: given.fieldSelector ?? '',
    },
    exclusions: readExclusions(exclusions),
    event: given.event ?? {},
    relationships: given.relationships ?? [],
    atOnce: Math.min(given.maxInflight ?? MAX_AT_ONCE, MAX_AT_ONCE),
    since: sinceMs === null ? null : new Date(context.now().getTime() - sinceMs),
  };
}

const versionOf = ({ group, version }: ApiResource): string =>
  group === '' ? version : `${group}/${version}`;

function isWanted(resource: ApiResource, wanted: Wanted): boolean {
  if (wanted.exclusions.resource(resource)) return false;
  if (wanted.scope.startsWith('cluster') && resource.isNamespaced) return false;
  if (wanted.scope.startsWith('namespace') && !resource.isNamespaced) return false;
  // Of a few namespaces, what belongs to the whole cluster is not asked for, except the namespaces.
  const isPlace = resource.kind === 'Namespace' && resource.group === '';
  if (wanted.selection.namespaces.length > 0 && !resource.isNamespaced && !isPlace) return false;
  if (wanted.watch.length === 0) return true;
  return wanted.watch.some(
    (entry) => entry.kind === resource.kind && entry.apiVersion === versionOf(resource),
  );
}

/** The objects once each: two groups may serve the same ones. */
function distinct(objects: readonly Json[], wanted: Wanted): Json[] {
  const seen = new Set<string>();
  const places = wanted.selection.namespaces;
  return objects.filter((object) => {
    const metadata = objectAt(object, 'metadata');
    const uid = textOf(metadata['uid']);
    const isElsewhere =
      object['kind'] === 'Namespace' && places.length > 0 && !places.includes(textOf(metadata['name']));
    if (isElsewhere || wanted.exclusions.object(object) || (uid !== '' && seen.has(uid))) return false;
    seen.add(uid);
    return true;
  });
}

async function documentsOf(objects: readonly Json[], wanted: Wanted, context: ScrapeContext) {
  const { clusterName } = wanted;
  const lookups = readLookups(wanted.relationships, { clusterName, context });
  const services = servicesOfPods(objects);
  const documents = [];
  for (const object of objects) {
    context.signal.throwIfAborted();
    const uid = textOf(objectAt(object, 'metadata')['uid']);
    const serving = (services.get(uid) ?? []).map((service) => relatedTo(clusterName, service, 'Pod'));
    const relationships = [...serving, ...(await lookups.of(object))];
    documents.push(objectItem(object, { clusterName, now: context.now(), relationships }));
  }
  return { documents, errors: lookups.errors() };
}

async function scrapeCluster(
  cluster: Cluster,
  wanted: Wanted,
  context: ScrapeContext,
): Promise<ScrapeOutput> {
  const found = await discover(cluster, context);
  const resources = found.resources.filter((resource) => isWanted(resource, wanted));
  const parts = resources.map((resource) => ({
    name: `${resource.plural} (${versionOf(resource)})`,
    run: () => listObjects(cluster, resource, wanted.selection),
  }));
  const limits = { atOnce: wanted.atOnce, signal: context.signal };
  const lists = await inParallel(parts, limits);
  const events = await inParallel(
    [
      {
        name: 'events',
        run: () =>
          listObjects(cluster, EVENTS, {
            namespaces: wanted.selection.namespaces,
            labelSelector: '',
            fieldSelector: '',
          }),
      },
    ],
    limits,
  );
  const objects = distinct(lists.results.flat(), wanted);
  if (objects.length > MAX_OBJECTS)
    throw new AppError(
      'invalid',
      `${objects.length} objects; exclude kinds or namespaces (${MAX_OBJECTS} are read)`,
    );
  const { documents, errors } = await documentsOf(objects, wanted, context);
  const { clusterName, since } = wanted;
  return output({
    documents: [clusterItem(clusterName, cluster.server, found.version), ...documents],
    changes: eventChanges(events.results.flat(), wanted.event, { clusterName, since }),
    errors: [...found.errors, ...lists.errors, ...events.errors, ...errors],
    // Without its events it is still all there.
    isComplete: found.errors.length === 0 && lists.errors.length === 0,
  });
}

export const kubernetesKind: ScraperKind = {
  kind: 'kubernetes',
  scrape: async (entry, context) => {
    const wanted = readWanted(entry, context);
    const cluster = await openCluster(entry['kubeconfig'], context);
    return scrapeCluster(cluster, wanted, context);
  },
};
