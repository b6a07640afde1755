/** alertmanager: the alerts that fire, by its API of version 2 (schema §4.1). It never fails by itself. */
import { z } from 'zod';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { httpService } from '../../kind/http-call.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { servicePlace } from '../../kind/service-place.ts';
import { common, connection, limits, namesPlace, text, tlsSchema } from '../../kind/spec-fields.ts';

const alertmanagerSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    /** The old name of url. */
    host: z.string().optional(),
    alerts: z.array(text).nullish(),
    filters: z.record(z.string(), text).nullish(),
    exclude_filters: z.record(z.string(), text).nullish(),
    ignore: z.array(text).nullish(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'host', 'connection']), { path: ['url'], message: 'is required' });
type AlertmanagerSpec = z.output<typeof alertmanagerSchema>;

const alertsSchema = z.array(
  z.object({
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()).default({}),
    fingerprint: z.string().default(''),
    startsAt: z.string().optional(),
  }),
);

/** A value of a matcher, in the quotes of the API. */
const quoted = (value: string) => JSON.stringify(value);

function matchersOf(spec: AlertmanagerSpec): string[] {
  const names = (spec.alerts ?? []).join('|');
  return [
    ...(names === '' ? [] : [`alertname=~${quoted(names)}`]),
    ...Object.entries(spec.filters ?? {}).map(([name, value]) => `${name}=~${quoted(value)}`),
    ...Object.entries(spec.exclude_filters ?? {}).map(([name, value]) => `${name}!=${quoted(value)}`),
    ...(spec.ignore ?? []).map((name) => `alertname!~${quoted(name)}`),
  ];
}

/** alertname/namespace-or-node/workload/container, those that there are. */
function nameOf(labels: Readonly<Record<string, string>>): string {
  const first = (...keys: string[]) => keys.map((key) => labels[key]).find((value) => value !== undefined);
  const workload = first('deployment', 'statefulset', 'daemonset', 'job_name', 'workload', 'pod', 'service');
  const parts = [labels['alertname'], first('namespace', 'node', 'instance'), workload, labels['container']];
  return parts.filter((part) => part !== undefined && part !== '').join('/');
}

function run(spec: AlertmanagerSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const service = httpService(await servicePlace({ ...spec, url: spec.url ?? spec.host }, context));
    const query = new URLSearchParams({ active: 'true', silenced: 'false', inhibited: 'false' });
    for (const matcher of matchersOf(spec)) query.append('filter', matcher);
    const found = alertsSchema.parse(await service.json(at, `/api/v2/alerts?${query.toString()}`));
    const results = found.map(({ labels, annotations, fingerprint, startsAt }) => ({
      name: nameOf(labels),
      message: annotations['message'] ?? annotations['description'] ?? annotations['summary'] ?? '',
      labels,
      annotations,
      fingerprint,
      startsAt: startsAt ?? null,
    }));
    return { data: { results, alerts: results } };
  });
}

/** Alerts that fire, for a test or a transform to judge. */
export const alertmanagerKind = registeredKind({
  key: 'alertmanager',
  aliases: ['alertManager'],
  title: 'Alertmanager',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: {
    name: 'critical alerts',
    url: 'https://alertmanager.example.com',
    filters: { severity: 'critical' },
    ignore: ['Watchdog'],
    test: { expr: 'size(results) == 0' },
  },
  schema: alertmanagerSchema,
  run,
});
