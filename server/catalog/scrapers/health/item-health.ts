/** Health of any item of the catalog by its type, where nothing else has told it. */
import { awsHealth } from './aws-health.ts';
import { azureHealth, gcpHealth } from './cloud-health.ts';
import { objectAt, textOf } from './health.ts';
import type { Health } from './health.ts';
import { kubernetesHealth } from './kubernetes-health.ts';
import type { NextRun } from './product-health.ts';
import { stateHealth } from './status-words.ts';

const OF_CLUSTERS = new Set(['kubernetes', 'crossplane', 'missioncontrol', 'flux', 'argo']);

/** What an item's document says about it; null where its type has no rule and it names no state. */
export function itemHealth(
  type: string,
  config: unknown,
  moment: { now: Date; nextRun: NextRun },
): Health | null {
  const json = objectAt(config);
  const family = type.slice(0, type.includes('::') ? type.indexOf('::') : type.length).toLowerCase();
  if (OF_CLUSTERS.has(family))
    return typeof json['kind'] === 'string' ? kubernetesHealth(json, moment) : null;
  const health = ofCloud(family, type, { json, now: moment.now });
  return health.status === '' && health.health === 'unknown' && health.message === '' ? null : health;
}

function ofCloud(
  family: string,
  type: string,
  about: { json: ReturnType<typeof objectAt>; now: Date },
): Health {
  switch (family) {
    case 'aws':
      return awsHealth(type, about.json);
    case 'gcp':
      return gcpHealth(type, about.json);
    case 'azure':
      return azureHealth(type, about.json, about.now);
    default:
      return stateHealth(textOf(about.json['status']) || textOf(about.json['state']));
  }
}
