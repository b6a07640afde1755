/** What invented estates are made of: names, labels, kinds of checks. */
import type { SeedRow } from './seed-row.ts';

export const SERVICES = [
  'checkout',
  'catalog',
  'payments',
  'search',
  'identity',
  'shipping',
  'invoices',
  'mail',
  'media',
  'reports',
  'ledger',
  'warehouse',
  'pricing',
  'reviews',
  'sessions',
  'gateway',
  'metrics',
  'vault',
  'registry',
  'scheduler',
] as const;
export const PARTS = ['api', 'web', 'worker', 'db', 'cache', 'queue', 'ingress', 'backup'] as const;
export const NAMESPACES = [
  'shop',
  'payments',
  'platform',
  'monitoring',
  'data',
  'logistics',
  'office',
  'kube-system',
] as const;
export const TEAMS = ['atlas', 'borealis', 'cobalt', 'delta', 'ember'] as const;
export const REGIONS = ['eu-central', 'eu-north', 'eu-west', 'us-east'] as const;
export const TIERS = ['critical', 'standard', 'internal'] as const;
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export const ERRORS = [
  'connection refused',
  'timeout after 10s',
  'status code 503',
  'certificate expires in 3 days',
  'no such host',
] as const;
export const CONFIG_TYPES = [
  'Kubernetes::Pod',
  'Kubernetes::Deployment',
  'Kubernetes::Service',
  'Kubernetes::Node',
  'AWS::EC2::Instance',
  'AWS::RDS::DBInstance',
] as const;

export interface Kind {
  type: string;
  icon: string;
  aspects: readonly [string, ...string[]];
  spec(host: string): SeedRow;
}

export const KINDS: readonly [Kind, ...Kind[]] = [
  {
    type: 'http',
    icon: 'http',
    aspects: ['health', 'login page', 'status page', 'api ready'],
    spec: (host) => ({ url: `https://${host}/healthz` }),
  },
  {
    type: 'http',
    icon: 'http',
    aspects: ['front page', 'search', 'metrics endpoint'],
    spec: (host) => ({ url: `https://${host}/` }),
  },
  {
    type: 'tcp',
    icon: 'tcp',
    aspects: ['port open', 'load balancer'],
    spec: (host) => ({ endpoint: `${host}:443` }),
  },
  {
    type: 'dns',
    icon: 'dns',
    aspects: ['resolves', 'MX records'],
    spec: (host) => ({ server: '9.9.9.9', query: host }),
  },
  { type: 'icmp', icon: 'icmp', aspects: ['reachable'], spec: (host) => ({ endpoint: host }) },
  {
    type: 'postgres',
    icon: 'postgres',
    aspects: ['accepts queries', 'replication lag'],
    spec: (host) => ({ url: `postgres://${host}:5432/app`, query: 'select 1' }),
  },
  { type: 'redis', icon: 'redis', aspects: ['answers ping'], spec: (host) => ({ url: `${host}:6379` }) },
  {
    type: 'folder',
    icon: 'folder',
    aspects: ['backups are fresh', 'disk space'],
    spec: (host) => ({ path: `/backups/${host}` }),
  },
  {
    type: 'exec',
    icon: 'console',
    aspects: ['restore drill', 'queue depth'],
    spec: (host) => ({ script: `check-queue --host ${host}` }),
  },
];
