/** A small topology with something of everything, written through the data API. */
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Ids of what tests look at. */
export const IDS = {
  payments: idOf(10),
  worker: idOf(12),
  ledger: idOf(13),
  cluster: idOf(20),
  incident: idOf(700),
};
/** Of an item of the first component: more than a page of a panel. */
export const CHANGES = 61;
const GIB = 1024 ** 3;

const none = {
  health: null,
  namespace: null,
  labels: null,
  properties: null,
  parent_id: null,
  icon: null,
  status_reason: null,
  hidden: false,
  owner: null,
};
const component = (number: number, name: string, over: Record<string, unknown> = {}) => ({
  id: idOf(number),
  name,
  external_id: name,
  type: 'Service',
  status: 'healthy',
  ...none,
  ...over,
});

const PROPERTIES = [
  { name: 'cpu', unit: 'millicores', value: 3200, max: 4000, headline: true },
  { name: 'cost', label: 'Cost', type: 'currency', value: 1834.5, headline: true },
  { name: 'created', text: '2026-03-01T10:00:00Z' },
  { name: 'url', type: 'url', text: 'https://payments.example.com' },
  { name: 'dashboards', links: [{ label: 'Grafana', url: 'https://grafana.example.com/d/1' }] },
  { name: 'disk', unit: 'bytes', value: 80 * GIB, max: 100 * GIB },
  { name: 'errors', unit: 'percent', value: 0.0042 },
  { name: 'region', text: 'eu-west-1', tooltip: 'Where most buyers are' },
  { name: 'zone', text: 'eu-west-1a' },
  { name: 'aws:vpc', text: 'vpc-0a12' },
  { name: 'secret', type: 'hidden', text: 'nobody sees this' },
];

const COMPONENTS = [
  component(10, 'payments', {
    type: 'System',
    status: 'degraded',
    health: 'warning',
    status_reason: 'Two of six workers restart again and again',
    labels: { team: 'payments' },
    properties: PROPERTIES,
  }),
  component(11, 'checkout-api', { parent_id: idOf(10) }),
  component(12, 'checkout-worker', {
    parent_id: idOf(10),
    status: 'CrashLoopBackOff',
    health: 'unhealthy',
  }),
  component(13, 'ledger', { parent_id: idOf(10), type: 'Database' }),
  component(14, 'ledger-replica', { parent_id: idOf(13), type: 'Database' }),
  component(20, 'cluster-eu', { type: 'Cluster', labels: { team: 'platform' } }),
  component(30, 'status-page', { type: 'Website', hidden: true }),
];

async function write(page: Page, path: string, rows: unknown): Promise<void> {
  const origin = new URL(page.url()).origin;
  const answer = await page.request.post(`${origin}/api/db/${path}`, {
    data: rows,
    headers: { origin, prefer: 'resolution=merge-duplicates' },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

async function idsIn(page: Page, path: string): Promise<{ id: string; canary_id: string }[]> {
  const origin = new URL(page.url()).origin;
  return (await (await page.request.get(`${origin}/api/db/${path}`)).json()) as {
    id: string;
    canary_id: string;
  }[];
}

/** Writes it as whoever is signed in on the page; items and checks are of the seed. */
export async function writeTopology(page: Page): Promise<void> {
  await write(page, 'components?on_conflict=id', COMPONENTS);
  await write(page, 'component_relationships?on_conflict=component_id,relationship_id,selector_id', [
    { component_id: IDS.ledger, relationship_id: IDS.cluster, selector_id: 'databases' },
  ]);
  const configs = await idsIn(page, 'config_items?select=id&order=name&limit=2');
  const checks = await idsIn(page, 'checks?select=id,canary_id&order=name&limit=3');
  await write(
    page,
    'config_component_relationships?on_conflict=component_id,config_id',
    configs.map(({ id }) => ({ component_id: IDS.payments, config_id: id, selector_id: 'selected' })),
  );
  await write(
    page,
    'check_component_relationships?on_conflict=component_id,check_id,canary_id,selector_id',
    checks.map(({ id, canary_id: canary }) => ({
      component_id: IDS.payments,
      check_id: id,
      canary_id: canary,
      selector_id: 's',
    })),
  );
  const finding = {
    analyzer: 'scan',
    status: 'open',
    message: 'Something is wrong',
    config_id: configs[0]?.id,
  };
  await write(page, 'config_analysis?on_conflict=id', [
    { ...finding, id: idOf(500), analysis_type: 'security', severity: 'critical', summary: 'Image is old' },
    { ...finding, id: idOf(501), analysis_type: 'cost', severity: 'low', summary: 'Too large' },
    { ...finding, id: idOf(502), analysis_type: 'cost', severity: 'medium', summary: 'Idle at night' },
    { ...finding, id: idOf(503), analysis_type: 'cost', severity: 'medium', summary: 'Old disk' },
  ]);
  const changed = Array.from({ length: CHANGES }, (_, at) => ({
    id: idOf(1000 + at),
    config_id: configs[0]?.id,
    change_type: 'diff',
    source: 'test',
    summary: `replicas ${at + 3} to ${at + 5}`,
    created_at: new Date(Date.now() - at * 60_000).toISOString(),
  }));
  await write(page, 'config_changes?on_conflict=id', changed);
  await write(page, 'teams?on_conflict=id', [
    { id: idOf(600), name: 'payments-team', source: 'UI', spec: {} },
  ]);
  await write(page, 'team_components?on_conflict=team_id,component_id', [
    { team_id: idOf(600), component_id: IDS.payments, selector_id: 'x' },
  ]);
}
