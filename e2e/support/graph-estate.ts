/**
 * Invents catalog items that hang together, for the relationship graph: the same size gives the same rows. The
 * estate is a cluster as operators have it, mostly groups; the tree has two children each, so that nothing can
 * be grouped: the most that a picture can be asked to hold. Pure.
 */
export interface EstateItem {
  id: string;
  name: string;
  type: string;
  config_class: string;
  parent_id: string | null;
  path: string;
  status: string;
  health: string;
  tags: Record<string, string>;
  labels: Record<string, string>;
}

export interface EstateLink {
  config_id: string;
  related_id: string;
  relation: string;
}

export interface GraphEstate {
  rootId: string;
  items: EstateItem[];
  links: EstateLink[];
}

const TEAMS = ['payments', 'search', 'checkout', 'identity', 'media'];
const APPS = ['api', 'worker', 'web', 'cache', 'gateway', 'mailer', 'indexer', 'billing'];
const PODS = 4;
const SERVICES_EVERY = 3;

/** Ids of one estate differ in their last digits alone; those of another kind or size in the digits before. */
const idOf = (kind: number, size: number, at: number) =>
  `0${kind}000000-0000-4000-8000-${size.toString(16).padStart(6, '0')}${at.toString(16).padStart(6, '0')}`;

function healthOf(at: number): { health: string; status: string } {
  if (at % 17 === 5) return { health: 'unhealthy', status: 'CrashLoopBackOff' };
  if (at % 23 === 7) return { health: 'warning', status: 'Pending' };
  return at % 41 === 9 ? { health: 'unknown', status: 'Unknown' } : { health: 'healthy', status: 'Running' };
}

class EstateBuilder {
  readonly items: EstateItem[] = [];
  readonly links: EstateLink[] = [];
  private readonly kind: number;
  private readonly size: number;
  private readonly place: { namespace?: string; cluster: string };

  constructor(kind: number, size: number) {
    this.kind = kind;
    this.size = size;
    this.place = { cluster: `demo-${kind}-${size}` };
  }

  /** More items than the root; false once there are as many as asked for. */
  get hasRoom(): boolean {
    return this.items.length <= this.size;
  }

  add(type: string, name: string, parent: EstateItem | null): EstateItem {
    const at = this.items.length;
    const item: EstateItem = {
      id: idOf(this.kind, this.size, at),
      name,
      type: `Kubernetes::${type}`,
      config_class: type,
      parent_id: parent?.id ?? null,
      path: parent === null ? '' : [parent.path, parent.id].filter((part) => part !== '').join('.'),
      ...healthOf(at),
      tags: { ...this.place },
      labels: { app: APPS[at % APPS.length] ?? '', team: TEAMS[at % TEAMS.length] ?? '' },
    };
    this.items.push(item);
    return item;
  }

  link(from: EstateItem, to: EstateItem, relation: string): void {
    this.links.push({ config_id: from.id, related_id: to.id, relation });
  }

  enter(namespace: string): void {
    this.place.namespace = namespace;
  }
}

function addDeployment(estate: EstateBuilder, namespace: EstateItem, ordinal: number): void {
  const name = `${APPS[ordinal % APPS.length] ?? 'app'}-${ordinal}`;
  const deployment = estate.add('Deployment', name, namespace);
  const service =
    ordinal % SERVICES_EVERY === 0 && estate.hasRoom ? estate.add('Service', name, namespace) : null;
  if (!estate.hasRoom) return;
  const replicas = estate.add('ReplicaSet', `${name}-7d9f`, deployment);
  for (let pod = 0; pod < PODS && estate.hasRoom; pod += 1) {
    const added = estate.add('Pod', `${name}-7d9f-${pod}`, replicas);
    if (service !== null) estate.link(service, added, 'ServicePod');
  }
  if (estate.hasRoom) estate.add('ConfigMap', `${name}-settings`, namespace);
}

/** A cluster with so many items under it. */
export function clusterEstate(size: number): GraphEstate {
  const estate = new EstateBuilder(1, size);
  const root = estate.add('Cluster', `cluster-of-${size}`, null);
  const perNamespace = Math.max(2, Math.round(Math.sqrt(size / 8)));
  for (let ordinal = 0; estate.hasRoom; ordinal += 1) {
    const name = `${TEAMS[ordinal % TEAMS.length] ?? 'team'}-${ordinal}`;
    estate.enter(name);
    const namespace = estate.add('Namespace', name, root);
    for (let at = 0; at < perNamespace && estate.hasRoom; at += 1)
      addDeployment(estate, namespace, ordinal * perNamespace + at);
  }
  return { rootId: root.id, items: estate.items, links: estate.links };
}

/** A tree of items with two children each. */
export function treeEstate(size: number): GraphEstate {
  const estate = new EstateBuilder(2, size);
  const root = estate.add('Node', `tree-of-${size}`, null);
  for (let at = 1; at <= size; at += 1)
    estate.add('Node', `node-${at}`, estate.items[Math.floor((at - 1) / 2)] ?? root);
  return { rootId: root.id, items: estate.items, links: estate.links };
}
