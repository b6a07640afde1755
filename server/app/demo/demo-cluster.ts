/** The cluster that the demo's services run in: itself, its nodes and its namespaces. Pure data. */
import { DEMO_TEAMS } from './demo-company.ts';

export const NODES = ['node-a', 'node-b', 'node-c', 'node-d', 'node-e', 'node-f'] as const;
export const CLUSTER = 'production-eu';

/** The reference of an item to its parent. */
export const parent = (type: string, id: string) => [{ type, external_id: id }];

/** As documents of the demo's scraper. */
export function demoCluster(): object[] {
  const cluster = {
    id: 'cluster',
    config_type: 'Kubernetes::Cluster',
    config_class: 'Cluster',
    name: CLUSTER,
    health: 'healthy',
    status: 'Ready',
    tags: { cluster: CLUSTER },
    config: { name: CLUSTER, version: '1.33', region: 'eu-central-1' },
  };
  const nodes = NODES.map((name, index) => ({
    id: `node/${name}`,
    config_type: 'Kubernetes::Node',
    config_class: 'Node',
    name,
    health: 'healthy',
    status: 'Ready',
    tags: { cluster: CLUSTER },
    labels: { zone: `eu-central-1${'abc'[index % 3]}` },
    parents: parent('Kubernetes::Cluster', 'cluster'),
    config: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      status: { capacity: { cpu: '8', memory: '32Gi' } },
    },
  }));
  const namespaces = DEMO_TEAMS.map(({ namespace, team }) => ({
    id: `namespace/${namespace}`,
    config_type: 'Kubernetes::Namespace',
    config_class: 'Namespace',
    name: namespace,
    health: 'healthy',
    status: 'Active',
    tags: { cluster: CLUSTER },
    labels: { team },
    parents: parent('Kubernetes::Cluster', 'cluster'),
    config: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { team } } },
  }));
  return [cluster, ...nodes, ...namespaces];
}
