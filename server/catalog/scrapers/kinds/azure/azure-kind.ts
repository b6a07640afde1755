/**
 * Scrapes a subscription of Azure (schema §5.2 azure): itself, its resource groups, every resource in them, and
 * its activity log as changes.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { SCRAPER_KINDS } from '../../../../../src/contract/specs/scraper-spec.ts';
import { stateHealth } from '../../health/status-words.ts';
import { objectAt, textOf, timeOf } from '../../health/health.ts';
import type {
  ExternalRef,
  RawDocument,
  ScrapeContext,
  ScrapedChange,
  ScraperKind,
} from '../../specs/scraped.ts';
import { inParallel, sentenceOf } from '../services/in-parallel.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import type { Texts } from '../services/named-list.ts';
import { change, jsonDocument, output } from '../services/scraped-parts.ts';
import { openAzure } from './azure-access.ts';
import type { AzureAccess } from './azure-access.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

const spec = SCRAPER_KINDS.azure;
const DAY_MS = 86_400_000;
const MAX_RESOURCES = 50_000;
const SUBSCRIPTION = 'Azure::Subscription';
const GROUP = 'Azure::ResourceGroup';

/** Ids of Azure are the same in any case, and its answers mix them. */
const idOf = (id: string | undefined): string => (id ?? '').toLowerCase();
const typeOf = (type: string): string => `Azure::${type.replace(/^Microsoft\./i, '')}`;
const groupOf = (id: string): string => /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+/.exec(id)?.[0] ?? '';

interface Resource {
  id?: string;
  name?: string;
  type?: string;
  location?: string;
  tags?: Record<string, string>;
  properties?: unknown;
  provisioningState?: string;
  createdTime?: Date;
}

function itemOf(
  resource: Resource,
  known: { type: string; parents: ExternalRef[]; subscription: string },
): RawDocument {
  const id = idOf(resource.id);
  const word = resource.provisioningState ?? textOf(objectAt(resource.properties)['provisioningState']);
  const { health, status, ready } = stateHealth(word);
  // When it was last touched moves with every look; the activity log tells what was done.
  const { changedTime: _moving, ...content } = objectAt(JSON.parse(JSON.stringify(resource)));
  const location = resource.location;
  return jsonDocument(content, id, {
    externalIds: [id],
    type: known.type,
    configClass: known.type.split('/').pop()?.replace('Azure::', '') ?? known.type,
    name: resource.name ?? id,
    labels: resource.tags ?? {},
    tags: { subscription: known.subscription, ...(location === undefined ? {} : { region: location }) },
    health,
    status: status === '' ? null : status,
    ready,
    createdAt: resource.createdTime ?? null,
    parents: known.parents,
  });
}

function subscriptionItem(subscription: string): RawDocument {
  const id = idOf(`/subscriptions/${subscription}`);
  return jsonDocument({ id, subscriptionId: subscription }, id, {
    externalIds: [id, subscription.toLowerCase()],
    type: SUBSCRIPTION,
    configClass: 'Subscription',
    name: subscription,
    tags: { subscription },
  });
}

async function readResources({ resources, subscription }: AzureAccess): Promise<RawDocument[]> {
  const top = { type: SUBSCRIPTION, externalId: idOf(`/subscriptions/${subscription}`) };
  const found: RawDocument[] = [];
  const pages = resources.resources.list({ expand: 'createdTime,provisioningState' });
  for await (const resource of pages) {
    if (found.length >= MAX_RESOURCES)
      throw new AppError('bad_payload', `more than ${MAX_RESOURCES} resources in one subscription`);
    const group = { type: GROUP, externalId: groupOf(idOf(resource.id)) };
    const parents = group.externalId === '' ? [top] : [group, top];
    found.push(itemOf(resource, { type: typeOf(resource.type ?? 'Resource'), parents, subscription }));
  }
  return found;
}

async function readGroups({ resources, subscription }: AzureAccess): Promise<RawDocument[]> {
  const parents = [{ type: SUBSCRIPTION, externalId: idOf(`/subscriptions/${subscription}`) }];
  const found: RawDocument[] = [];
  for await (const group of resources.resourceGroups.list())
    found.push(itemOf(group, { type: GROUP, parents, subscription }));
  return found;
}

const SEVERITY = lookupTable<string>({ Critical: 'critical', Error: 'high', Warning: 'medium' });

/** Entries of the activity log about resources, without those that only say that something began. */
export function activityChanges(entries: readonly unknown[], exclude: Texts): ScrapedChange[] {
  const excluded = namedList(exclude);
  return entries.flatMap((entry) => {
    const json = objectAt(entry);
    const operation = objectAt(json, 'operationName');
    const name = textOf(operation['value']);
    const type = textOf(objectAt(json, 'resourceType')['value']);
    const status = textOf(objectAt(json, 'status')['value']);
    const resource = textOf(json['resourceId']);
    if (name === '' || resource === '' || status === 'Started' || status === 'Accepted') return [];
    if (isNamedBy(excluded, name)) return [];
    const found = change({
      about: { type: /\/resourcegroups$/i.test(type) ? GROUP : typeOf(type), externalId: idOf(resource) },
      externalChangeId: textOf(json['eventDataId']) || null,
      changeType: name.split('/').slice(-2).join('/'),
      severity: status === 'Failed' ? 'high' : (SEVERITY[textOf(json['level'])] ?? 'info'),
      source: 'Azure activity log',
      summary: `${textOf(operation['localizedValue']) || name}: ${status}`,
      details: {
        operation: name,
        status,
        correlationId: json['correlationId'],
        properties: json['properties'],
      },
      createdBy: textOf(json['caller']) || null,
      createdAt: timeOf(json['eventTimestamp']),
    });
    return [found];
  });
}

async function readActivity(access: AzureAccess, context: ScrapeContext): Promise<unknown[]> {
  const now = context.now().getTime();
  // The log is up to a quarter of an hour late.
  const since = new Date(context.lastRun === null ? now - DAY_MS : context.lastRun.getTime() - 30 * 60_000);
  const filter = encodeURIComponent(`eventTimestamp ge '${since.toISOString()}'`);
  const root = `/subscriptions/${encodeURIComponent(access.subscription)}`;
  const path = '/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01';
  return access.list('activity log', `${root}${path}&$filter=${filter}`);
}

export const azureKind: ScraperKind = {
  kind: 'azure',
  scrape: async (entry, context) => {
    const given = spec.parse(entry);
    const access = await openAzure(given, context);
    const parts = [
      { name: 'resource groups', run: () => readGroups(access) },
      { name: 'resources', run: () => readResources(access) },
    ];
    const { results, errors } = await inParallel(parts, { atOnce: 1, signal: context.signal });
    if (results.length === 0 && access.failures.last !== null) throw access.failures.last;
    if (results.length === 0) throw new AppError('server', `azure: ${errors[0] ?? 'nothing could be read'}`);
    const log: { changes: ScrapedChange[]; errors: string[] } = { changes: [], errors: [] };
    try {
      log.changes = activityChanges(await readActivity(access, context), given.exclusions?.activityLogs);
    } catch (error) {
      if (context.signal.aborted) throw error;
      log.errors.push(sentenceOf('activity log', error));
    }
    return output({
      documents: [subscriptionItem(access.subscription), ...results.flat()],
      changes: log.changes,
      errors: [...errors, ...log.errors],
      isComplete: errors.length === 0,
    });
  },
};
