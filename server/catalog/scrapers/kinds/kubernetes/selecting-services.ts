/** The selectors of a cluster's services, by which pods are related to them; the only objects that a watch remembers. */
import { objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { Cluster } from './kube-config.ts';
import { objectPages } from './list-objects.ts';
import type { ObjectPlace } from './list-objects.ts';
import type { ChangedObject } from './changed-objects.ts';

const MAX_SERVICES = 20_000;

/** See the head of this file. */
export class SelectingServices {
  private readonly known = new Map<string, Json>();

  /** Takes a service in; answers which pods it selects where that is new. Other objects say nothing. */
  note({ key, object, isGone }: ChangedObject): { namespace: string; labelSelector: string } | null {
    if (object['kind'] !== 'Service' || object['apiVersion'] !== 'v1') return null;
    const before = objectAt(this.known.get(key), 'spec', 'selector');
    this.known.delete(key);
    const selector = objectAt(object, 'spec', 'selector');
    const pairs = Object.entries(selector);
    if (isGone || pairs.length === 0 || this.known.size >= MAX_SERVICES) return null;
    const { namespace, name } = objectAt(object, 'metadata');
    this.known.set(key, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace, name },
      spec: { selector },
    });
    if (JSON.stringify(before) === JSON.stringify(selector)) return null;
    const labelSelector = pairs.map(([label, value]) => `${label}=${textOf(value)}`).join(',');
    return { namespace: textOf(namespace), labelSelector };
  }

  all(): readonly Json[] {
    return [...this.known.values()];
  }

  /** The pods at these places. */
  async pods(cluster: Cluster, places: readonly ObjectPlace[]): Promise<Json[]> {
    const found: Json[] = [];
    for (const place of places)
      for await (const { objects } of objectPages(cluster, place)) found.push(...objects);
    return found;
  }
}
