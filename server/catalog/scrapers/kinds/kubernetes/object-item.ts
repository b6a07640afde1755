/** What an object of a cluster is as an item: its names, place, health, parents and relationships. */
import { listOf, objectAt, textOf, timeOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import { kubernetesHealth } from '../../health/kubernetes-health.ts';
import type { ExternalRef, RawDocument, ScrapedRelationship } from '../../specs/scraped.ts';
import { jsonDocument } from '../services/scraped-parts.ts';
import { nextRunOf } from './next-run-of.ts';
import { storedObject } from './stored-object.ts';
import { addTo } from '../../../../../src/lib/group-by.ts';

export interface ObjectName {
  kind: string;
  namespace: string;
  name: string;
}

/** The name of an object that outlives its uid: a re-created object is the same item to whom refers by name. */
export function aliasOf(clusterName: string, { kind, namespace, name }: ObjectName): string {
  return `Kubernetes/${clusterName}/${kind}/${namespace}/${name}`;
}

/** The item type of a kind: `Kubernetes::Pod`. */
export const typeOf = (kind: string): string => `Kubernetes::${kind}`;

/** How items refer to an object of the cluster. */
export function refOf(clusterName: string, name: ObjectName): ExternalRef {
  return { type: typeOf(name.kind), externalId: aliasOf(clusterName, name) };
}

const clusterRef = (clusterName: string): ExternalRef =>
  refOf(clusterName, { kind: 'Cluster', namespace: '', name: clusterName });

/** Its owners (the controller first), then its namespace, then the cluster. */
function parentsOf(object: Json, clusterName: string): ExternalRef[] {
  const metadata = objectAt(object, 'metadata');
  const namespace = textOf(metadata['namespace']);
  const owners = listOf(metadata['ownerReferences']).toSorted(
    (a, b) => Number(b['controller'] === true) - Number(a['controller'] === true),
  );
  const parents = owners
    .filter((owner) => textOf(owner['uid']) !== '')
    .map((owner) => ({ type: typeOf(textOf(owner['kind'])), externalId: textOf(owner['uid']) }));
  if (namespace !== '')
    parents.push(refOf(clusterName, { kind: 'Namespace', namespace: '', name: namespace }));
  parents.push(clusterRef(clusterName));
  return parents;
}

/** A relationship with another object of the cluster, named as `NodePod`: who has, whom. */
export function relatedTo(clusterName: string, other: ObjectName, ownKind: string): ScrapedRelationship {
  const { type, externalId } = refOf(clusterName, other);
  return { to: { type, externalId }, relation: `${other.kind}${ownKind}`, direction: 'in' };
}

function ownRelationships(object: Json, clusterName: string): ScrapedRelationship[] {
  const spec = objectAt(object, 'spec');
  const namespace = textOf(objectAt(object, 'metadata')['namespace']);
  if (object['kind'] === 'Pod' && textOf(spec['nodeName']) !== '') {
    const node = { kind: 'Node', namespace: '', name: textOf(spec['nodeName']) };
    return [relatedTo(clusterName, node, 'Pod')];
  }
  if (object['kind'] === 'PersistentVolumeClaim' && textOf(spec['volumeName']) !== '') {
    const volume = { kind: 'PersistentVolume', namespace: '', name: textOf(spec['volumeName']) };
    return [relatedTo(clusterName, volume, 'PersistentVolumeClaim')];
  }
  if (object['kind'] === 'HorizontalPodAutoscaler') {
    const target = objectAt(spec, 'scaleTargetRef');
    const name = { kind: textOf(target['kind']), namespace, name: textOf(target['name']) };
    return name.kind === '' || name.name === ''
      ? []
      : [relatedTo(clusterName, name, 'HorizontalPodAutoscaler')];
  }
  return [];
}

/** Services and the pods that they select, among the objects of one scrape; by uid of the pod. */
export function servicesOfPods(objects: readonly Json[]): Map<string, ObjectName[]> {
  const found = new Map<string, ObjectName[]>();
  const pods = new Map<string, Json[]>();
  for (const object of objects) {
    if (object['kind'] !== 'Pod' || object['apiVersion'] !== 'v1') continue;
    const namespace = textOf(objectAt(object, 'metadata')['namespace']);
    addTo(pods, namespace, object);
  }
  for (const object of objects) {
    if (object['kind'] !== 'Service' || object['apiVersion'] !== 'v1') continue;
    const wanted = Object.entries(objectAt(object, 'spec', 'selector'));
    const { namespace, name } = nameOf(object);
    if (wanted.length === 0) continue;
    for (const pod of pods.get(namespace) ?? []) {
      const labels = objectAt(pod, 'metadata', 'labels');
      if (!wanted.every(([key, value]) => labels[key] === value)) continue;
      const uid = textOf(objectAt(pod, 'metadata')['uid']);
      addTo(found, uid, { kind: 'Service', namespace, name });
    }
  }
  return found;
}

/** Parts that the object doesn't say are empty. */
export function nameOf(object: Json): ObjectName {
  const metadata = objectAt(object, 'metadata');
  return {
    kind: textOf(object['kind']),
    namespace: textOf(metadata['namespace']),
    name: textOf(metadata['name']),
  };
}

function textsOf(values: Json): Record<string, string> {
  const texts = Object.entries(values).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}

export interface ItemSetting {
  clusterName: string;
  now: Date;
  /** More relationships than the object itself tells. */
  relationships: readonly ScrapedRelationship[];
}

/** The document of an object with everything that its kind says about it (schema §5.2 kubernetes). */
export function objectItem(object: Json, setting: ItemSetting): RawDocument {
  const { clusterName, now } = setting;
  const metadata = objectAt(object, 'metadata');
  const name = nameOf(object);
  const { health, status, ready, message } = kubernetesHealth(object, { now, nextRun: nextRunOf });
  const uid = textOf(metadata['uid']);
  const alias = aliasOf(clusterName, name);
  const tags: Record<string, string> = { cluster: clusterName };
  if (name.namespace !== '') tags['namespace'] = name.namespace;
  return jsonDocument(storedObject(object), alias, {
    externalIds: uid === '' ? [alias] : [uid, alias],
    type: typeOf(name.kind),
    configClass: name.kind,
    name: name.name,
    status: status === '' ? null : status,
    health,
    ready,
    description: message === '' ? null : message,
    labels: textsOf(objectAt(metadata, 'labels')),
    tags,
    createdAt: timeOf(metadata['creationTimestamp']),
    parents: parentsOf(object, clusterName),
    relationships: [...ownRelationships(object, clusterName), ...setting.relationships],
  });
}

/** The cluster itself, which every item ends at. */
export function clusterItem(clusterName: string, server: string, version: Json): RawDocument {
  const alias = clusterRef(clusterName).externalId;
  return jsonDocument({ name: clusterName, server, version }, alias, {
    externalIds: [alias],
    type: typeOf('Cluster'),
    configClass: 'Cluster',
    name: clusterName,
    health: 'healthy',
    status: 'Running',
    ready: true,
    tags: { cluster: clusterName },
  });
}
