/** The checks, items and insights of the demo that its incidents point at, once the first scrape has brought them. */
import { z } from 'zod';
import { quotedList } from './demo-client.ts';
import type { DemoClient } from './demo-client.ts';
import { DEMO_TEAMS } from './demo-company.ts';
import type { DemoSubjects } from './demo-incidents.ts';

const SERVICES = DEMO_TEAMS.flatMap(({ services }) => services);
const CHECKS = SERVICES.flatMap((service) => [`${service}/health`, `${service}/write`, `${service}/list`]);

const namedRow = z.object({ id: z.string(), name: z.string() });
const insightRow = z.object({ id: z.string(), config_id: z.string() });

/** Null until all items are there. */
export async function readSubjects(client: DemoClient): Promise<DemoSubjects | null> {
  const items = await client.read({
    table: 'configs',
    search: `select=id,name&type=eq.Kubernetes::Deployment&deleted_at=is.null&name=in.(${quotedList(SERVICES)})`,
    row: namedRow,
  });
  if (items.length < SERVICES.length) return null;
  const checks = await client.read({
    table: 'checks',
    search: `select=id,name&deleted_at=is.null&name=in.(${quotedList(CHECKS)})`,
    row: namedRow,
  });
  const nameOf = new Map(items.map(({ id, name }) => [id, name]));
  const insights = await client.read({
    table: 'config_analysis',
    search: `select=id,config_id&status=eq.open&analyzer=eq.run-as-root&config_id=in.(${items.map(({ id }) => id).join(',')})`,
    row: insightRow,
  });
  return {
    checks: new Map(checks.map(({ id, name }) => [name, id])),
    deployments: new Map(items.map(({ id, name }) => [name, id])),
    insights: new Map(insights.map(({ id, config_id: of }) => [nameOf.get(of) ?? of, id])),
  };
}
