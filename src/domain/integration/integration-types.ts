/** What feeds the catalog, the topology and the logs, as addresses and rows name it, and where it is kept (contract §14.3). */
import type { ResourceKind } from '../settings/resource-kinds.ts';

export const INTEGRATIONS: ReadonlyMap<string, ResourceKind> = new Map<string, ResourceKind>([
  ['scrapers', 'config_scrapers'],
  ['topologies', 'topologies'],
  ['logging_backends', 'logging_backends'],
]);
