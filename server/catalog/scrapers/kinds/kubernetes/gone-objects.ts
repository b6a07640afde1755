/** What the catalog has of a place and a list of the place has not: it was deleted while nobody watched. */
import type { Json } from '../../health/health.ts';
import type { LiveItem } from '../../specs/scraped.ts';
import { versionOf } from './wanted.ts';
import type { ObjectPlace } from './list-objects.ts';

const NAMESPACE = /\/namespaces\/([^/]+)\/[^/]+$/;

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** Objects of which no more is known than who they were. Items whose group isn't stored are left to whole scrapes. */
export function goneObjects(
  { path, resource }: ObjectPlace,
  known: readonly LiveItem[],
  { uids, clusterName }: { uids: ReadonlySet<string>; clusterName: string },
): Json[] {
  const namespace = NAMESPACE.exec(path)?.[1];
  return known.flatMap(({ externalId, apiVersion, tags }) => {
    const isOfPlace =
      tags['cluster'] === clusterName &&
      (namespace === undefined || tags['namespace'] === decodeURIComponent(namespace)) &&
      apiVersion !== null &&
      groupOf(apiVersion) === resource.group;
    // Those without a uid go by another id here than in the list.
    if (!isOfPlace || externalId.startsWith('Kubernetes/') || uids.has(externalId)) return [];
    return [{ apiVersion: versionOf(resource), kind: resource.kind, metadata: { uid: externalId } }];
  });
}
