/** elasticsearch, opensearch: a search has to find exactly so many documents (schema §4.1). Both have one interface. */
import { z } from 'zod';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { httpService } from '../../kind/http-call.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { servicePlace } from '../../kind/service-place.ts';
import {
  common,
  connection,
  count,
  limits,
  namesPlace,
  required,
  tlsSchema,
} from '../../kind/spec-fields.ts';

const searchSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    index: required,
    query: z.string().optional(),
    results: count.optional(),
    tlsConfig: tlsSchema.optional(),
  })
  .refine(namesPlace(['url', 'connection']), { path: ['url'], message: 'is required' });
type SearchSpec = z.output<typeof searchSchema>;

const answerSchema = z.looseObject({
  _shards: z.looseObject({ total: z.number().optional(), failed: z.number() }).optional(),
  hits: z.looseObject({ total: z.union([z.number(), z.looseObject({ value: z.number() })]) }),
});

function run(spec: SearchSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const service = httpService(await servicePlace(spec, context));
    const found = answerSchema.parse(
      await service.json(at, `/${encodeURIComponent(spec.index)}/_search?track_total_hits=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: spec.query ?? '{}',
      }),
    );
    const { total } = found.hits;
    const hits = typeof total === 'number' ? total : total.value;
    const wanted = spec.results ?? 0;
    // A test of the check's own says what is right; without one it is the number.
    const isWrong = hits !== wanted && (spec.test === undefined || spec.results !== undefined);
    const { failed = 0, total: shards = failed } = found._shards ?? {};
    if (failed > 0)
      return { data: { results: found }, error: `the search failed in ${failed} of ${shards} shards` };
    return { data: { results: found }, error: isWrong ? `${hits} hits, ${wanted} wanted` : null };
  });
}

const example = (url: string) => ({
  name: 'no errors in the log',
  url,
  index: 'logs-*',
  query:
    '{"query": {"bool": {"filter": [{"term": {"level": "error"}}, {"range": {"@timestamp": {"gte": "now-5m"}}}]}}}',
  results: 0,
});

/** Documents of an Elasticsearch. */
export const elasticsearchKind = registeredKind({
  key: 'elasticsearch',
  title: 'Elasticsearch',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: example('https://elasticsearch.example.com:9200'),
  schema: searchSchema,
  run,
});

/** Documents of an OpenSearch. */
export const opensearchKind = registeredKind({
  key: 'opensearch',
  title: 'OpenSearch',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: example('https://opensearch.example.com:9200'),
  schema: searchSchema,
  run,
});
