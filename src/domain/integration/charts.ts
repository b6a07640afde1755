/** The charts that integrations by GitOps are made of, and what is known of each without its registry (contract §14.3). */

export const CHARTS = ['aws', 'azure', 'prometheus', 'flux', 'kubernetes', 'mission-control'] as const;
export type ChartKey = (typeof CHARTS)[number];

interface ChartFacts {
  title: string;
  /** As its Chart.yaml names it; used until that was read. */
  name: string;
  /** What it brings, in a sentence. */
  about: string;
}

export const CHART_FACTS: Readonly<Record<ChartKey, ChartFacts>> = {
  aws: { title: 'AWS', name: 'mission-control-aws', about: 'Accounts, resources, costs and CloudTrail' },
  azure: { title: 'Azure', name: 'mission-control-azure', about: 'Subscriptions, resources and Entra' },
  prometheus: {
    title: 'Prometheus',
    name: 'mission-control-prometheus',
    about: 'A connection, and what it measures in the topology',
  },
  flux: {
    title: 'Flux',
    name: 'mission-control-flux',
    about: 'What Flux keeps in step, and playbooks for it',
  },
  kubernetes: {
    title: 'Kubernetes',
    name: 'mission-control-kubernetes',
    about: 'A cluster: its resources, their health and metrics',
  },
  'mission-control': {
    title: 'Mission Control',
    name: 'mission-control-watchtower',
    about: 'Mission Control, watching itself',
  },
};

/** Where charts are published, and the folder that their heads and schemas of values are read from. */
export const CHART_REPOSITORY = 'https://flanksource.github.io/charts';
export const CHART_SOURCES =
  'https://raw.githubusercontent.com/flanksource/mission-control-registry/main/charts';

/** Spec 2 §9 'GitOps defaults'. */
export const GITOPS_DEFAULTS = { namespace: 'mission-control', interval: '30m' } as const;
