/**
 * Scrapes a cluster: every resource it serves, or those of `watch`, as items, and its events as changes (schema
 * §5.2 kubernetes). A resource that can't be read is told and makes the scrape incomplete, so that nothing of it
 * is taken for deleted. Between scrapes the cluster is watched (watch-cluster.ts).
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ScrapeContext, ScraperKind, ScrapeOutput } from '../../specs/scraped.ts';
import { inParallel } from '../services/in-parallel.ts';
import { output } from '../services/scraped-parts.ts';
import { discover } from './api-resources.ts';
import { eventChanges } from './event-change.ts';
import { openCluster } from './kube-config.ts';
import type { Cluster } from './kube-config.ts';
import { listObjects } from './list-objects.ts';
import { clusterItem } from './object-item.ts';
import { distinct, documentsOf, EVENTS, isWanted, readWanted, versionOf } from './wanted.ts';
import type { Wanted } from './wanted.ts';
import { watchCluster } from './watch-cluster.ts';

/** Items of one scrape; more belong to more scrapers. */
const MAX_OBJECTS = 100_000;

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
  const { documents, errors } = await documentsOf({ objects, services: [] }, wanted, context);
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
  watch: (entry, context, live) =>
    entry['live'] === false
      ? null
      : watchCluster(readWanted(entry, context), entry['kubeconfig'], { context, live }),
};
