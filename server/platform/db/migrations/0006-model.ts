/** The rest of the data dictionary: views, lookups and walks, access tokens, and what is removed whole. */
import { CATALOG_FUNCTIONS } from './0006-model-catalog-functions.ts';
import { CATALOG_VIEWS, CONFIG_DETAIL } from './0006-model-catalog-views.ts';
import { COMPONENT_FUNCTIONS } from './0006-model-component-functions.ts';
import { FEED } from './0006-model-feed.ts';
import { HEALTH_VIEWS } from './0006-model-health-views.ts';
import { OPERATIONS_VIEWS } from './0006-model-operations-views.ts';
import { REMOVALS, TABLES } from './0006-model-tables.ts';
import { TOPOLOGY_VIEWS } from './0006-model-topology-views.ts';

export const up: string = [
  TABLES,
  HEALTH_VIEWS,
  CATALOG_VIEWS,
  CATALOG_FUNCTIONS,
  CONFIG_DETAIL,
  TOPOLOGY_VIEWS,
  COMPONENT_FUNCTIONS,
  OPERATIONS_VIEWS,
  REMOVALS,
  FEED,
].join('\n');
