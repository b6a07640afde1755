/** What every resource of AWS has in common as an item: ids, tags, health, and its way up to the account. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { objectAt } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import { awsHealth } from '../../health/aws-health.ts';
import type { ExternalRef, RawDocument, ScrapedRelationship } from '../../specs/scraped.ts';
import { jsonDocument } from '../services/scraped-parts.ts';

export const ACCOUNT = 'AWS::::Account';
export const REGION = 'AWS::Region';

/** A resource as its collector knows it. */
export interface AwsResource {
  type: string;
  /** Its ARN or id; what others call it by comes after. */
  ids: [string, ...string[]];
  name: string;
  config: unknown;
  labels?: Record<string, string>;
  createdAt?: Date | undefined;
  /** The nearest first; region and account are added. */
  parents?: ExternalRef[];
  relationships?: ScrapedRelationship[];
}

const MAX_PAGES = 100;

/** All of a paged answer; throws beyond a limit that no account should reach, as what is not read is not gone. */
export async function collect<Page, Item>(
  pages: AsyncIterable<Page>,
  pick: (page: Page) => readonly Item[] | undefined,
): Promise<Item[]> {
  const found: Item[] = [];
  let count = 0;
  for await (const page of pages) {
    count += 1;
    if (count > MAX_PAGES) throw new AppError('bad_payload', `more than ${MAX_PAGES} pages of them`);
    found.push(...(pick(page) ?? []));
  }
  return found;
}

/** Tags in any of the spellings that the services have. */
export function labelsOf(tags: unknown): Record<string, string> {
  const labels: Record<string, string> = {};
  const pairs: unknown[] = Array.isArray(tags)
    ? tags
    : Object.entries(objectAt(tags)).map(([key, value]) => ({ key, value }));
  for (const pair of pairs) {
    const { Key, Value, key, value } = objectAt(pair);
    const name = Key ?? key;
    const text = Value ?? value;
    if (typeof name === 'string') labels[name] = typeof text === 'string' ? text : '';
  }
  return labels;
}

/** Another resource by type and id, where there is one. */
export function related(type: string, id: string | undefined, relation: string): ScrapedRelationship[] {
  return id === undefined || id === '' ? [] : [{ to: { type, externalId: id }, relation, direction: 'in' }];
}

/** A way up as candidates; none without an id. */
export function parent(type: string, id: string | undefined): ExternalRef[] {
  return id === undefined || id === '' ? [] : [{ type, externalId: id }];
}

/** Dates, sets and byte arrays as JSON has them; the services' answers are objects of classes. */
const plain = (config: unknown): Json => objectAt(JSON.parse(JSON.stringify(config ?? {})));

/** The document of a resource in a region; null for what has none. */
export function awsDocument(resource: AwsResource, account: string, region: string | null): RawDocument {
  const config = plain(resource.config);
  const labels = resource.labels ?? {};
  const { health, status, ready, message } = awsHealth(resource.type, config);
  const isAccount = resource.type === ACCOUNT;
  const isRegion = resource.type === REGION;
  return jsonDocument(config, resource.ids[0], {
    externalIds: resource.ids,
    type: resource.type,
    configClass: resource.type.split('::').pop() ?? resource.type,
    name: resource.name,
    labels,
    tags: { account, ...(region === null ? {} : { region }) },
    createdAt: resource.createdAt ?? null,
    health,
    status: status === '' ? null : status,
    ready,
    description: message === '' ? null : message,
    relationships: resource.relationships ?? [],
    parents: [
      ...(resource.parents ?? []),
      ...(isRegion || isAccount || region === null
        ? []
        : [{ type: REGION, externalId: `${account}/${region}` }]),
      ...(isAccount ? [] : [{ type: ACCOUNT, externalId: account }]),
    ],
  });
}
