/** dynatrace: the open problems of an environment (Problems API v2, schema §4.1). It never fails by itself. */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { callJson } from '../../kind/http-call.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { readValue } from '../../kind/secret-values.ts';
import { common, limits, required, valueSchema } from '../../kind/spec-fields.ts';

const dynatraceSchema = z.strictObject({
  ...common,
  ...limits,
  scheme: z.enum(['http', 'https']).optional(),
  host: required,
  apiKey: valueSchema,
});
type DynatraceSpec = z.output<typeof dynatraceSchema>;

const named = z.looseObject({ name: z.string() });
/** Of 500 problems each. */
const MAX_PAGES = 10;
const answerSchema = z.object({
  nextPageKey: z.string().nullish(),
  problems: z.array(
    z.looseObject({
      title: z.string(),
      severityLevel: z.string().optional(),
      status: z.string().optional(),
      impactLevel: z.string().optional(),
      affectedEntities: z.array(named).default([]),
      managementZones: z.array(named).default([]),
    }),
  ),
});

function run(spec: DynatraceSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const base = `${spec.scheme ?? 'https'}://${spec.host}`;
    if (!URL.canParse(base)) throw new AppError('invalid', `host "${spec.host}" is not the name of a host`);
    const apiKey = await readValue(spec.apiKey, context);
    const headers = { authorization: `Api-Token ${apiKey}` };
    const problems: z.output<typeof answerSchema>['problems'] = [];
    const url = new URL('/api/v2/problems?problemSelector=status(%22open%22)&pageSize=500', base);
    for (let page = 1; ; page += 1) {
      const answer = answerSchema.parse(await callJson(at, { url, headers }));
      problems.push(...answer.problems);
      if (!answer.nextPageKey) break;
      if (page === MAX_PAGES)
        throw new AppError('bad_payload', `more than ${problems.length} open problems, too many to judge`);
      // The key stands for the whole question; beside it nothing else may be asked.
      url.search = new URLSearchParams({ nextPageKey: answer.nextPageKey }).toString();
    }
    const results = problems.map((problem) => ({
      ...problem,
      severity: problem.severityLevel ?? '',
      labels: {
        status: problem.status ?? '',
        impact: problem.impactLevel ?? '',
        entities: problem.affectedEntities.map(({ name }) => name).join(', '),
        zones: problem.managementZones.map(({ name }) => name).join(', '),
      },
    }));
    return { data: { results } };
  });
}

/** Problems that Dynatrace sees, for a test or a transform to judge. */
export const dynatraceKind = registeredKind({
  key: 'dynatrace',
  title: 'Dynatrace',
  needs: 'an access token that may read problems',
  testedAgainst: 'stand-in',
  example: {
    name: 'problems',
    host: 'abc12345.live.dynatrace.com',
    apiKey: { valueFrom: { secretKeyRef: { name: 'dynatrace', key: 'token' } } },
    test: { expr: 'size(results) == 0' },
  },
  schema: dynatraceSchema,
  run,
});
