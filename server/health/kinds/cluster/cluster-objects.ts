/**
 * Objects that a check makes in a cluster, and takes away again. Invariants: nothing is taken away that this check did not
 * make (a label says whose it is); taking away has time of its own, whatever became of the check.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { listOf, objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import type { Json } from '../../../catalog/scrapers/health/health.ts';
import type { Cluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { callService, jsonOf, refusalOf } from '../../../catalog/scrapers/kinds/services/service-call.ts';
import type { EgressResponse } from '../../../platform/egress/egress-http.ts';
import type { Probe } from '../../kind/probe.ts';
import { jsonOrNull } from '../../../../src/lib/json-or-null.ts';

const OWNER_LABEL = 'holdfast/check';
const MANAGER = 'holdfast';
const MANAGED = { 'app.kubernetes.io/managed-by': MANAGER };
const REMOVE_LIMIT_MS = 10_000;
const APPLY = 'application/apply-patch+yaml';

/** Where an object is. */
export interface Place {
  path: string;
  what: string;
}

export interface ClusterObjects {
  /** Makes it, labelled as this check's. Throws where something of that name is there already. */
  create: (object: Json) => Promise<Place>;
  /** Makes it or brings it up to date; it stays. */
  apply: (object: Json) => Promise<Place>;
  /** Null where it is gone. */
  read: (place: Place) => Promise<Json | null>;
  /** Begins to take it away; one that is gone already is no failure. */
  remove: (place: Place) => Promise<void>;
  /** Takes away what an earlier run of this check left of the kinds of these objects. */
  removeLeft: (objects: readonly Json[]) => Promise<void>;
}

/** The cluster's reason: quotas and rules of admission are for whoever wrote the check. */
function toldRefusal(what: string, { statusCode, body }: EgressResponse): AppError {
  // Without a word of the cluster itself the status has to do.
  const told = jsonOrNull(body.toString('utf8'));
  return refusalOf(what, statusCode, isRecord(told) ? textOf(told['message']) : '');
}

interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  what: string;
  body?: Json;
  type?: string;
}

interface Resource {
  /** Up to the namespace. */
  root: string;
  plural: string;
  isNamespaced: boolean;
}

class LabelledObjects implements ClusterObjects {
  private readonly cluster: Cluster;
  private readonly at: Probe;
  private readonly mark: { owner: string; namespace: string };
  private readonly known = new Map<string, Promise<readonly Json[]>>();

  constructor(cluster: Cluster, at: Probe, mark: { owner: string; namespace: string }) {
    this.cluster = cluster;
    this.at = at;
    this.mark = mark;
  }

  private async call({ method, path, what, body, type = 'application/json' }: Call, signal = this.at.signal) {
    const answer = await callService(
      { guard: this.at.guard, trust: this.at.trust, signal },
      {
        method,
        url: new URL(`${this.cluster.server}${path}`),
        headers: { ...this.cluster.headers, ...(body === undefined ? {} : { 'content-type': type }) },
        body: body === undefined ? null : JSON.stringify(body),
        tls: this.cluster.tls,
      },
    );
    if (answer.statusCode > 299) throw toldRefusal(what, answer);
    return jsonOf(what, answer);
  }

  private async resourceOf(object: Json): Promise<Resource> {
    const [apiVersion, kind] = [textOf(object['apiVersion']), textOf(object['kind'])];
    if (!/^[\w.-]+(\/[\w.-]+)?$/.test(apiVersion) || kind === '')
      throw new AppError('invalid', 'resources: each needs apiVersion, kind and metadata.name');
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let listed = this.known.get(root);
    if (listed === undefined) {
      listed = this.call({ method: 'GET', path: root, what: apiVersion }).then((found) =>
        listOf(objectAt(found)['resources']),
      );
      this.known.set(root, listed);
    }
    const found = (await listed).find((one) => one['kind'] === kind && !textOf(one['name']).includes('/'));
    if (found === undefined) throw new AppError('network', `the cluster serves no ${apiVersion} ${kind}`);
    return { root, plural: textOf(found['name']), isNamespaced: found['namespaced'] === true };
  }

  private async placeOf(object: Json): Promise<{ list: string; place: Place; namespace: string }> {
    const { root, plural, isNamespaced } = await this.resourceOf(object);
    const metadata = objectAt(object, 'metadata');
    const name = textOf(metadata['name']);
    if (name === '')
      throw new AppError('invalid', 'resources: each needs apiVersion, kind and metadata.name');
    const namespace = textOf(metadata['namespace']) || this.mark.namespace;
    const list = isNamespaced
      ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
      : `${root}/${plural}`;
    const what = `${textOf(object['kind'])} ${isNamespaced ? `${namespace}/` : ''}${name}`;
    return { list, place: { path: `${list}/${encodeURIComponent(name)}`, what }, namespace };
  }

  private labelled(object: Json, namespace: string, isOwn: boolean): Json {
    const metadata = objectAt(object, 'metadata');
    const labels = {
      ...objectAt(metadata, 'labels'),
      ...MANAGED,
      ...(isOwn ? { [OWNER_LABEL]: this.mark.owner } : {}),
    };
    return { ...object, metadata: { ...metadata, namespace, labels } };
  }

  async create(object: Json): Promise<Place> {
    const { list, place, namespace } = await this.placeOf(object);
    const body = this.labelled(object, namespace, true);
    await this.call({ method: 'POST', path: list, what: place.what, body });
    return place;
  }

  async apply(object: Json): Promise<Place> {
    const { place, namespace } = await this.placeOf(object);
    const path = `${place.path}?fieldManager=${MANAGER}`;
    const body = this.labelled(object, namespace, false);
    await this.call({ method: 'PATCH', path, what: place.what, body, type: APPLY });
    return place;
  }

  async read({ path, what }: Place): Promise<Json | null> {
    try {
      return objectAt(await this.call({ method: 'GET', path, what }));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }

  async remove({ path, what }: Place): Promise<void> {
    const body = { propagationPolicy: 'Background' };
    try {
      // The check's own time may be over.
      await this.call({ method: 'DELETE', path, what, body }, AbortSignal.timeout(REMOVE_LIMIT_MS));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
  }

  async removeLeft(objects: readonly Json[]): Promise<void> {
    const lists = new Set<string>();
    for (const object of objects) lists.add((await this.placeOf(object)).list);
    const query = `labelSelector=${encodeURIComponent(`${OWNER_LABEL}=${this.mark.owner}`)}`;
    for (const list of lists) {
      const found = await this.call({ method: 'GET', path: `${list}?${query}`, what: list });
      for (const one of listOf(objectAt(found)['items'])) {
        const { name } = objectAt(one, 'metadata');
        const place = {
          path: `${list}/${encodeURIComponent(textOf(name))}`,
          what: `${list}/${textOf(name)}`,
        };
        await this.remove(place);
        await waitUntilGone(this, place, this.at);
      }
    }
  }
}

const LOOK_MS = 500;

/** Looks until it is gone; the probe's time bounds it. */
export async function waitUntilGone(objects: ClusterObjects, place: Place, at: Probe): Promise<void> {
  while ((await objects.read(place)) !== null) {
    at.signal.throwIfAborted();
    await at.platform.sleep(LOOK_MS, at.signal);
  }
}

/** `owner` is a label's value: the same for each run of a check, and for no other check. */
export function openObjects(
  cluster: Cluster,
  at: Probe,
  mark: { owner: string; namespace: string },
): ClusterObjects {
  return new LabelledObjects(cluster, at, mark);
}
