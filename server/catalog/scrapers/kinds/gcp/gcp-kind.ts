/**
 * gcp: the assets of a project or an organization by Cloud Asset Inventory's REST API (`assets.list`), with what is
 * documented of each resource. Types are `GCP::Compute::Instance` and the like.
 */
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { GcpEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import { gcpHealth } from '../../health/cloud-health.ts';
import { listOf, objectAt, textOf, timeOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { RawDocument, ScrapeContext, ScrapedRelationship, ScraperKind } from '../../specs/scraped.ts';
import { callJson } from '../services/json-call.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';
import { openGoogle } from './google-access.ts';

const ENDPOINT = 'https://cloudasset.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform.read-only';
const NAME = /^[a-z0-9][\w.:-]*$/i;
const MAX_PAGES = 100;
const MASK = '******';

const assetSchema = z.looseObject({
  name: z.string(),
  assetType: z.string(),
  resource: z
    .looseObject({
      data: z.record(z.string(), z.unknown()).optional(),
      parent: z.string().optional(),
      location: z.string().optional(),
    })
    .optional(),
});
type Asset = z.output<typeof assetSchema>;
const pageSchema = z.object({
  assets: z.array(assetSchema).default([]),
  nextPageToken: z.string().optional(),
});

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `compute.googleapis.com/Instance` as `GCP::Compute::Instance`. */
export function gcpType(assetType: string): string {
  const [service = '', kind = ''] = assetType.split('/');
  return `GCP::${capital(service.split('.')[0] ?? '')}::${capital(kind)}`;
}

/** Metadata of machines holds their start scripts. */
function storedData(data: Json): Json {
  const { etag: _etag, fingerprint: _fingerprint, ...kept } = data;
  const items = listOf(objectAt(kept['metadata'])['items']);
  if (items.length === 0) return kept;
  const masked = items.map((item) => ({ ...item, value: MASK }));
  return { ...kept, metadata: { ...objectAt(kept['metadata']), items: masked } };
}

function textsOf(values: Json): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, textOf(value)]));
}

/** Links of APIs name the same thing with and without their address. */
const resourceName = (link: string): string =>
  link.replace(
    /^https:\/\/(?:www\.googleapis\.com\/compute|compute\.googleapis\.com\/compute)\/v1/,
    '//compute.googleapis.com',
  );

function relationsOf(type: string, data: Json): ScrapedRelationship[] {
  if (type !== 'GCP::Compute::Instance') return [];
  const to = (of: string, link: unknown, relation: string): ScrapedRelationship[] => {
    const externalId = resourceName(textOf(link));
    return externalId === '' ? [] : [{ to: { type: of, externalId }, relation, direction: 'in' }];
  };
  return [
    ...listOf(data['disks']).flatMap((disk) => to('GCP::Compute::Disk', disk['source'], 'DiskInstance')),
    ...listOf(data['networkInterfaces']).flatMap((one) => [
      ...to('GCP::Compute::Network', one['network'], 'NetworkInstance'),
      ...to('GCP::Compute::Subnetwork', one['subnetwork'], 'SubnetworkInstance'),
    ]),
  ];
}

function placeOf(location: string): Record<string, string> {
  if (location === '') return {};
  const region = /^([a-z]+-[a-z]+\d+)-[a-z]$/.exec(location)?.[1];
  return region === undefined ? { region: location } : { region, zone: location };
}

function documentOf({ name, assetType, resource }: Asset, root: string): RawDocument {
  const type = gcpType(assetType);
  const data = resource?.data ?? {};
  const { health, status, ready, message } = gcpHealth(type, data);
  const ids = [name, textOf(data['selfLink'])].filter((id) => id !== '');
  const parent = resource?.parent ?? '';
  return jsonDocument(storedData(data), name, {
    externalIds: [...new Set(ids)],
    type,
    configClass: type.split('::').at(-1) ?? type,
    name:
      textOf(data['displayName']) ||
      textOf(data['name']).split('/').at(-1) ||
      (name.split('/').at(-1) ?? name),
    health,
    status: status === '' ? null : status,
    ready,
    description: message === '' ? null : message,
    labels: textsOf(objectAt(data['labels'])),
    tags: { project: root, ...placeOf(textOf(resource?.location).toLowerCase()) },
    createdAt: timeOf(data['creationTimestamp']) ?? timeOf(data['createTime']) ?? timeOf(data['timeCreated']),
    parents: [parent, root]
      .filter((id) => id !== '' && id !== name)
      .map((externalId) => ({ type: externalId === root ? 'GCP::Project' : '', externalId })),
    relationships: relationsOf(type, data),
  });
}

/** What the specification asks for: `projects/x` or `organizations/1`. */
function rootsOf({ project, organization }: GcpEntry): string[] {
  const projects = project === undefined ? [] : [`projects/${String(project)}`];
  const roots = organization === undefined ? projects : [`organizations/${String(organization)}`];
  if (roots.length === 0) throw new AppError('invalid', 'project: is required, or an organization');
  for (const root of roots)
    if (!NAME.test(root.split('/')[1] ?? ''))
      throw new AppError('invalid', `project: "${root.slice(0, 100)}" is no project`);
  return roots;
}

async function scrape(entry: GcpEntry, context: ScrapeContext) {
  const [root = ''] = rootsOf(entry);
  const { url, headers } = await openGoogle(entry, { usual: ENDPOINT, scope: SCOPE }, context);
  const [include, exclude] = [namedList(entry.include), namedList(entry.exclude)];
  const assetTypes = (entry.include ?? []).map(String).filter((name) => /^[\w.]+\/\w+$/.test(name));
  const names = (assetType: string) => [assetType, gcpType(assetType), assetType.split('/')[1] ?? ''];
  const isWanted = ({ assetType }: Asset) => {
    const own = names(assetType);
    if (own.some((name) => isNamedBy(exclude, name))) return false;
    return include === null || own.some((name) => isNamedBy(include, name));
  };
  const documents: RawDocument[] = [];
  const id = root.split('/')[1] ?? root;
  let token = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const target = new URL(`/v1/${root}/assets`, url);
    target.searchParams.set('contentType', 'RESOURCE');
    target.searchParams.set('pageSize', '1000');
    for (const type of assetTypes) target.searchParams.append('assetTypes', type);
    if (token !== '') target.searchParams.set('pageToken', token);
    const parsed = pageSchema.safeParse(
      await callJson('Cloud Asset Inventory', { url: target, headers }, context),
    );
    if (!parsed.success)
      throw new AppError('bad_payload', 'Cloud Asset Inventory: the answer is no list of assets');
    for (const asset of parsed.data.assets) if (isWanted(asset)) documents.push(documentOf(asset, id));
    token = parsed.data.nextPageToken ?? '';
    if (token === '') break;
  }
  const project = jsonDocument({ id }, id, {
    externalIds: [id],
    type: root.startsWith('projects/') ? 'GCP::Project' : 'GCP::Organization',
    configClass: root.startsWith('projects/') ? 'Project' : 'Organization',
    name: id,
  });
  const errors =
    token === '' ? [] : [`include: more than ${MAX_PAGES},000 assets; name the types that are wanted`];
  return output({ documents: [project, ...documents], errors, isComplete: errors.length === 0 });
}

/** See the head of this file. */
export const gcpKind: ScraperKind<GcpEntry> = { kind: 'gcp', scrape };
