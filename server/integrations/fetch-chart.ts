/**
 * Reads a chart's head and the schema of its values from the registry, through the egress guard. The address is ours or
 * the operator's (CHARTS_URL), never a request's; what comes back is bounded and held against a schema before it is kept.
 */
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import type { ChartKey } from '../../src/domain/integration/charts.ts';
import { isRecord } from '../../src/lib/is-record.ts';
import { readYaml } from '../../src/lib/read-yaml.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import { requestThroughGuard } from '../platform/egress/egress-http.ts';
import { deepJsonRefusal } from '../platform/http/json-depth.ts';

const TIMEOUT_MS = 8000;
const MAX_BYTES = 512 * 1024;
const MAX_REDIRECTS = 2;

const headSchema = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,100}$/),
  version: z.union([z.string(), z.number()]).transform(String),
  description: z.string().max(2000).default(''),
});

/** What the registry says of a chart. */
export interface FetchedChart extends z.output<typeof headSchema> {
  schema: Record<string, unknown>;
}

async function textAt(url: URL, guard: EgressGuard, signal: AbortSignal): Promise<string> {
  const request = {
    method: 'GET',
    url,
    headers: { accept: '*/*', 'user-agent': 'holdfast' },
    body: null,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: MAX_REDIRECTS,
    maxBodyBytes: MAX_BYTES,
    tls: {},
  };
  const { statusCode, body, isBodyCut } = await requestThroughGuard(guard, 'operator', { request, signal });
  if (statusCode !== 200) throw new AppError('network', `${url.host} answered HTTP ${statusCode}`);
  if (isBodyCut) throw new AppError('network', `${url.host} answered more than ${MAX_BYTES / 1024} KB`);
  return body.toString('utf8');
}

function schemaIn(text: string): Record<string, unknown> {
  const refusal = deepJsonRefusal(text);
  if (refusal !== null) throw refusal;
  const schema: unknown = JSON.parse(text);
  if (!isRecord(schema) || !isRecord(schema['properties']))
    throw new AppError('invalid', 'the schema of its values names no fields');
  return schema;
}

/** Throws where it could not be read; the message is for people. */
export async function fetchChart(
  chart: ChartKey,
  { registry, guard }: { registry: string; guard: EgressGuard },
): Promise<FetchedChart> {
  const at = (file: string) => new URL(`${registry}/${chart}/${file}`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const [head, schema] = await Promise.all([
    textAt(at('Chart.yaml'), guard, signal),
    textAt(at('values.schema.json'), guard, signal),
  ]);
  try {
    const read = headSchema.parse(readYaml(head));
    return { ...read, schema: schemaIn(schema) };
  } catch (error) {
    throw new AppError('invalid', `What ${at('').host} has of ${chart} is no chart`, { cause: error });
  }
}
