/** The made-up company behind `--demo`: its teams with their services, and the people who run them. Pure data. */
import { createHash } from 'node:crypto';
import { DEMO_SOURCE } from '../../../src/domain/demo.ts';
import type { Role } from '../../../src/domain/access/matrix.ts';
import type { Behaviour } from './demo-services.ts';
import { hashOf } from './demo-services.ts';

/** Every account of the demo is at this domain, which no mail leaves. */
export const DEMO_MAIL_DOMAIN = 'demo.example';

export interface DemoTeam {
  namespace: string;
  team: string;
  tier: 'critical' | 'high' | 'medium' | 'low';
  services: readonly string[];
}

export const DEMO_TEAMS: readonly DemoTeam[] = [
  {
    namespace: 'storefront',
    team: 'checkout',
    tier: 'critical',
    services: ['cart', 'checkout', 'catalog-api', 'pricing', 'promotions'],
  },
  {
    namespace: 'payments',
    team: 'payments',
    tier: 'critical',
    services: ['ledger', 'card-gateway', 'invoices', 'refunds', 'fraud-score'],
  },
  {
    namespace: 'identity',
    team: 'platform',
    tier: 'critical',
    services: ['sign-in', 'sessions', 'directory', 'consent'],
  },
  {
    namespace: 'fulfilment',
    team: 'logistics',
    tier: 'high',
    services: ['orders', 'warehouse', 'labels', 'tracking', 'returns'],
  },
  {
    namespace: 'search',
    team: 'discovery',
    tier: 'high',
    services: ['query', 'indexer', 'suggest', 'ranking'],
  },
  {
    namespace: 'data',
    team: 'data',
    tier: 'medium',
    services: ['events', 'warehouse-load', 'reports', 'exports', 'feature-store'],
  },
  {
    namespace: 'messaging',
    team: 'growth',
    tier: 'medium',
    services: ['mail', 'push', 'campaigns', 'templates'],
  },
  {
    namespace: 'edge',
    team: 'platform',
    tier: 'critical',
    services: ['ingress', 'cdn-origin', 'images', 'rate-limiter'],
  },
  {
    namespace: 'observability',
    team: 'platform',
    tier: 'low',
    services: ['metrics', 'logs', 'traces', 'alerts'],
  },
];

export interface DemoPerson {
  /** How stories name the person. */
  key: 'ada' | 'noor' | 'jonas' | 'mei' | 'sofia' | 'tom';
  first: string;
  last: string;
  role: Role;
  teams: readonly string[];
}

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { key: 'ada', first: 'Ada', last: 'Berg', role: 'editor', teams: ['platform', 'data'] },
  { key: 'noor', first: 'Noor', last: 'Haddad', role: 'commander', teams: ['platform', 'payments'] },
  { key: 'jonas', first: 'Jonas', last: 'Weiss', role: 'responder', teams: ['payments', 'checkout'] },
  { key: 'mei', first: 'Mei', last: 'Lin', role: 'editor', teams: ['discovery', 'data'] },
  { key: 'sofia', first: 'Sofia', last: 'Rossi', role: 'viewer', teams: ['growth'] },
  { key: 'tom', first: 'Tom', last: 'Okafor', role: 'responder', teams: ['logistics', 'checkout'] },
];

/** An address of the demo's own domain, by which the demo's people are found again. */
export const mailOf = ({ first, last }: DemoPerson): string =>
  `${first}.${last}@${DEMO_MAIL_DOMAIN}`.toLowerCase();

/** Nine of ten checks behave; the rest are down, slow or flaky, by name. */
export function behaviourOf(checkName: string): Behaviour {
  const share = hashOf(checkName) % 100;
  if (share < 2) return 'down';
  if (share < 7) return 'flaky';
  return share < 12 ? 'slow' : 'steady';
}

/** The same name has the same id in every demo, so that loading again changes what is there and adds nothing. */
export function demoId(name: string): string {
  const hex = createHash('sha256').update(`${DEMO_SOURCE}/${name}`).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
