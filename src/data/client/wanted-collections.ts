/** Which collections a page waits for that asks a live query: on a device without rows they are loaded first. */
import type { CollectionName } from '../../contract/collections.ts';
import type { LiveQueryName } from '../../contract/queries/queries.ts';

const WANTED: Readonly<Partial<Record<LiveQueryName, readonly CollectionName[]>>> = {
  'live-health': ['checks'],
  'live-check': ['checks'],
  'live-incidents': ['incidents'],
  'live-catalog': ['configs'],
  'live-insights': ['config_insights', 'configs'],
  'live-changes': ['config_changes', 'configs'],
  'live-relations': ['configs', 'config_relationships'],
  'live-topology': ['components', 'checks'],
  'live-topology-outline': ['components', 'checks'],
  'live-component': ['components', 'checks'],
  'live-component-reach': ['components', 'checks'],
  'live-component-picture': ['components', 'checks'],
};

/** Empty where nothing waits for it. */
export function wantedCollections(name: LiveQueryName): readonly CollectionName[] {
  return WANTED[name] ?? [];
}
