/**
 * What resources cost, from a cost and usage report that Athena reads (schema §5.3): the last day, week and month that
 * the report knows, by resource. What belongs to no item of the scrape is the account's, so that all together is the bill.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { listOf, objectAt, textOf } from '../../health/health.ts';
import type { RawDocument, ScrapeContext, ScrapedItem } from '../../specs/scraped.ts';
import type { AwsConfig } from './aws-access.ts';
import { callAws } from './aws-json-call.ts';
import { costStatement } from './cost-report-query.ts';

export interface CostSpec {
  s3BucketPath?: string | undefined;
  table?: string | undefined;
  database?: string | undefined;
  region?: string | undefined;
}

type Costs = NonNullable<ScrapedItem['costs']>;

const NAME = /^[A-Za-z_]\w{0,127}$/;
const POLL_MS = 500;
const MAX_POLLS = 240;
const MAX_PAGES = 100;
const MINUTES_OF_DAY = 1440;

async function rowsOf(
  ask: (target: string, body: object) => Promise<unknown>,
  id: string,
): Promise<string[][]> {
  const rows: string[][] = [];
  let token = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const more = token === '' ? {} : { NextToken: token };
    const answer = objectAt(
      await ask('GetQueryResults', { QueryExecutionId: id, MaxResults: 1000, ...more }),
    );
    const read = listOf(objectAt(answer, 'ResultSet')['Rows']).map(({ Data }) =>
      listOf(Data).map(({ VarCharValue }) => textOf(VarCharValue)),
    );
    // The first one has the names of the columns.
    rows.push(...(page === 0 ? read.slice(1) : read));
    token = textOf(answer['NextToken']);
    if (token === '') return rows;
  }
  throw new AppError('bad_payload', `costReporting: more than ${MAX_PAGES},000 resources`);
}

/** Costs by the id of the resource; empty for what has none. */
export async function readCosts(
  given: CostSpec,
  { config, region: usual }: { config: AwsConfig; region: string },
  context: Pick<ScrapeContext, 'guard' | 'trust' | 'signal'> & { sleep: (ms: number) => Promise<void> },
): Promise<Map<string, Costs>> {
  const { database = '', table = '', s3BucketPath = '', region = usual } = given;
  for (const [field, name] of Object.entries({ database, table }))
    if (!NAME.test(name))
      throw new AppError('invalid', `costReporting.${field}: "${name}" is no name in Athena`);
  const ask = (target: string, body: object) =>
    callAws(config, { service: 'athena', region, target: `AmazonAthena.${target}` }, { body, context });
  const started = objectAt(
    await ask('StartQueryExecution', {
      QueryString: costStatement(database, table),
      QueryExecutionContext: { Database: database },
      ...(s3BucketPath === '' ? {} : { ResultConfiguration: { OutputLocation: s3BucketPath } }),
    }),
  );
  const id = textOf(started['QueryExecutionId']);
  for (let poll = 0; ; poll += 1) {
    const status = objectAt(
      await ask('GetQueryExecution', { QueryExecutionId: id }),
      'QueryExecution',
      'Status',
    );
    if (status['State'] === 'SUCCEEDED') break;
    if (status['State'] === 'FAILED' || status['State'] === 'CANCELLED')
      throw new AppError(
        'server',
        `costReporting: Athena: ${textOf(status['StateChangeReason']) || 'the query failed'}`,
      );
    if (poll >= MAX_POLLS)
      throw new AppError('timeout', 'costReporting: Athena did not end the query in two minutes');
    context.signal.throwIfAborted();
    await context.sleep(POLL_MS);
  }
  const costs = new Map<string, Costs>();
  for (const [resource = '', ...sums] of await rowsOf(ask, id)) {
    const [day = 0, week = 0, month = 0] = sums.map((text) => Number(text) || 0);
    costs.set(resource, { perMinute: day / MINUTES_OF_DAY, total1d: day, total7d: week, total30d: month });
  }
  return costs;
}

const sumOf = (all: readonly Costs[]): Costs =>
  all.reduce(
    (sum, one) => ({
      perMinute: (sum.perMinute ?? 0) + (one.perMinute ?? 0),
      total1d: (sum.total1d ?? 0) + (one.total1d ?? 0),
      total7d: (sum.total7d ?? 0) + (one.total7d ?? 0),
      total30d: (sum.total30d ?? 0) + (one.total30d ?? 0),
    }),
    { perMinute: 0, total1d: 0, total7d: 0, total30d: 0 },
  );

/** The documents with what each costs. Reports name some resources by ARN and some by id. */
export function withCosts(
  documents: readonly RawDocument[],
  costs: ReadonlyMap<string, Costs>,
  accountType: string,
): RawDocument[] {
  const left = new Map(costs);
  const told = documents.map((document) => {
    if (document.known.type === accountType) return document;
    const names = (document.known.externalIds ?? []).flatMap((id) => [id, id.split('/').at(-1) ?? id]);
    const own = [...new Set(names)].filter((name) => left.has(name));
    if (own.length === 0) return document;
    const found = sumOf(own.flatMap((name) => left.get(name) ?? []));
    for (const name of own) left.delete(name);
    return { ...document, known: { ...document.known, costs: found } };
  });
  const rest = sumOf([...left.values()]);
  return told.map((document) =>
    document.known.type === accountType
      ? { ...document, known: { ...document.known, costs: rest } }
      : document,
  );
}
