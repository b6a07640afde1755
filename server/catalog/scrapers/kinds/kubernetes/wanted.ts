/** What a specification wants of a cluster, and what is said of it: for a whole scrape as for what is watched. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import { textOf, objectAt } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import type { ApiResource } from './api-resources.ts';
import type { EventSpec } from './event-change.ts';
import { readExclusions } from './exclusions.ts';
import type { Exclusions, ExclusionSpec } from './exclusions.ts';
import type { Selection } from './list-objects.ts';
import { readLookups } from './lookup-relationships.ts';
import type { RelationshipSpec } from './lookup-relationships.ts';
import { objectItem, relatedTo, servicesOfPods } from './object-item.ts';

const spec = SCRAPER_KINDS.kubernetes;

/** Each call is a connection of its own; the specification's 64 would be felt by the cluster. */
const MAX_AT_ONCE = 8;
/** The resource that is told as changes. */
export const EVENTS: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  isNamespaced: true,
  canWatch: true,
};

/** What a specification wants of a cluster. */
export interface Wanted {
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

/** Throws with the field that is wrong. */
export function readWanted(entry: Record<string, unknown>, context: Pick<ScrapeContext, 'now'>): Wanted {
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

/** As objects have it in `apiVersion`. */
export const versionOf = ({ group, version }: ApiResource): string =>
  group === '' ? version : `${group}/${version}`;

/** Whether its objects are to be items. */
export function isWanted(resource: ApiResource, wanted: Wanted): boolean {
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

/** Whether an object of a wanted resource is none of the wanted ones. */
export function isLeftOut(object: Json, { selection, exclusions }: Wanted): boolean {
  const places = selection.namespaces;
  const { name } = objectAt(object, 'metadata');
  const isElsewhere = object['kind'] === 'Namespace' && places.length > 0 && !places.includes(textOf(name));
  return isElsewhere || exclusions.object(object);
}

/** The objects once each: two groups may serve the same ones. */
export function distinct(objects: readonly Json[], wanted: Wanted): Json[] {
  const seen = new Set<string>();
  return objects.filter((object) => {
    const uid = textOf(objectAt(object, 'metadata')['uid']);
    if (isLeftOut(object, wanted) || (uid !== '' && seen.has(uid))) return false;
    seen.add(uid);
    return true;
  });
}

/** Everything that is said of the objects; `services` are those whose pods may be among them. */
export async function documentsOf(
  { objects, services: all }: { objects: readonly Json[]; services: readonly Json[] },
  wanted: Wanted,
  context: Pick<ScrapeContext, 'expressions' | 'signal' | 'now'>,
) {
  const { clusterName } = wanted;
  const lookups = readLookups(wanted.relationships, { clusterName, context });
  const services = servicesOfPods([...objects, ...all]);
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
