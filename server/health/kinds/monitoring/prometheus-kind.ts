/** prometheus: an instant query of the HTTP API (schema §4.1). */
import { z } from 'zod';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { httpService } from '../../kind/http-call.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { servicePlace } from '../../kind/service-place.ts';
import { common, connection, limits, namesPlace, required, tlsSchema } from '../../kind/spec-fields.ts';

const prometheusSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    /** The old name of url. */
    host: z.string().optional(),
    query: required,
    tls: tlsSchema.optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'host', 'connection']), { path: ['url'], message: 'is required' });
type PrometheusSpec = z.output<typeof prometheusSchema>;

const sample = z.tuple([z.number(), z.string()]);
const answerSchema = z.object({
  data: z.discriminatedUnion('resultType', [
    z.object({
      resultType: z.literal('vector'),
      result: z.array(
        z.object({
          metric: z.record(z.string(), z.string()),
          value: sample.optional(),
          histogram: z.unknown().optional(),
        }),
      ),
    }),
    z.object({ resultType: z.literal('scalar'), result: sample }),
    z.object({ resultType: z.literal('string'), result: sample }),
    z.object({ resultType: z.literal('matrix'), result: z.array(z.unknown()) }),
  ]),
});

/** `NaN` and `+Inf` are numbers there and none in JSON: they stay texts. */
function numberOf(text: string): number | string {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? value : text;
}

function resultsOf({ data }: z.output<typeof answerSchema>): Record<string, unknown>[] {
  if (data.resultType === 'vector')
    return data.result.map(({ metric, value }) => ({ ...metric, value: numberOf(value?.[1] ?? '') }));
  if (data.resultType === 'matrix') return data.result.map((series) => ({ series }));
  return [{ value: numberOf(data.result[1]) }];
}

function run(spec: PrometheusSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const tlsConfig = spec.tlsConfig ?? spec.tls;
    const service = httpService(
      await servicePlace({ ...spec, url: spec.url ?? spec.host, tlsConfig }, context),
    );
    const path = `/api/v1/query?query=${encodeURIComponent(spec.query)}`;
    const results = resultsOf(answerSchema.parse(await service.json(at, path)));
    const [firstResult = {}] = results;
    return { data: { results, firstResult, value: firstResult['value'] ?? null } };
  });
}

/** Series of a Prometheus, for a test or a transform to judge. */
export const prometheusKind = registeredKind({
  key: 'prometheus',
  title: 'Prometheus',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: {
    name: 'error rate',
    url: 'https://prometheus.example.com',
    query: 'sum(rate(http_requests_total{code=~"5.."}[5m]))',
    test: { expr: 'double(value) < 1.0' },
  },
  schema: prometheusSchema,
  run,
});
