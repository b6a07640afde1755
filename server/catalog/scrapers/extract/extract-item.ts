/** One element of a document becomes an item with its changes and findings, or only those. */
import { isRecord } from '../../../../src/lib/is-record.ts';
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';
import type {
  ExternalRef,
  RawDocument,
  ScrapedChange,
  ScrapedItem,
  ScrapedRelationship,
} from '../specs/scraped.ts';
import { itemHealth } from '../health/item-health.ts';
import { nextRunOf } from '../kinds/kubernetes/next-run-of.ts';
import { applyChangeRules } from './change-rules.ts';
import { cleanConfig } from './clean-config.ts';
import type { Extracted } from './extract-entry.ts';
import type { ScriptRunner } from './extract-scope.ts';
import { dateOf, readAnalysis, readChange, readFullDocument } from './full-document.ts';
import type { FullDocument, Owner } from './full-document.ts';
import { healthOf, labelsOf, momentOf, namedBy, propertiesOf, tagsOf, textsIn } from './item-fields.ts';
import { textAt, textOrNull } from './json-values.ts';
import type { JsonObject } from './json-values.ts';
import { readLookup, relationshipsOf } from './relationship-rules.ts';

interface Element {
  element: unknown;
  document: RawDocument;
  entry: ScraperBase;
  isFull: boolean;
}

interface Into {
  scripts: ScriptRunner;
  extracted: Extracted;
  now: Date;
}

/** `id: None` and `type: None` say that there is no item, only what the document tells of others. */
const isNone = (text: string | null) => text?.toLowerCase() === 'none';
const unlessNone = (text: string | null) => (isNone(text) ? null : text);

interface Names {
  id: string | null;
  type: string | null;
  name: string | null;
  aliases: string[];
}

function namesOf({ element, document, entry, isFull }: Element, own: JsonObject): Names {
  const { known } = document;
  const said = (...keys: string[]) =>
    isFull ? keys.reduce<string | null>((found, key) => found ?? textOrNull(own[key]), null) : null;
  const [knownId = null, ...knownAliases] = known.externalIds ?? [];
  const id = unlessNone(textAt(element, entry.id)) ?? said('id', 'external_id') ?? knownId;
  const type = said('config_type') ?? unlessNone(textAt(element, entry.type)) ?? said('type') ?? known.type;
  const aliases =
    isFull && Array.isArray(own['aliases']) ? own['aliases'].flatMap((a) => textOrNull(a) ?? []) : [];
  return {
    id,
    type: type ?? null,
    name: textAt(element, entry.name) ?? said('name') ?? known.name ?? id,
    aliases: [...(knownId === id ? [] : knownId === null ? [] : [knownId]), ...knownAliases, ...aliases],
  };
}

function refsOf(value: unknown): ExternalRef[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).flatMap((entry) => {
    const type = textOrNull(entry['type']) ?? textOrNull(entry['config_type']);
    const externalId = textOrNull(entry['external_id']) ?? textOrNull(entry['id']);
    return type === null || externalId === null ? [] : [{ type, externalId }];
  });
}

function statedRelationships(value: unknown): ScrapedRelationship[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).flatMap((entry) => {
    const to = readLookup(entry);
    if (to === null) return [];
    const relation = textOrNull(entry['relation']) ?? textOrNull(entry['relationship']) ?? '';
    return [{ to, relation, direction: entry['direction'] === 'in' ? 'in' : 'out' } as const];
  });
}

const numberOrNull = (value: unknown) => (typeof value === 'number' ? value : null);

function costsOf(own: JsonObject): ScrapedItem['costs'] {
  const costs = {
    perMinute: numberOrNull(own['cost_per_minute']),
    total1d: numberOrNull(own['cost_total_1d']),
    total7d: numberOrNull(own['cost_total_7d']),
    total30d: numberOrNull(own['cost_total_30d']),
  };
  return Object.values(costs).every((cost) => cost === null) ? null : costs;
}

/** What scripts of the specification see of the item. */
function variablesOf(item: ScrapedItem, element: unknown): Record<string, unknown> {
  return {
    config: element,
    config_type: item.type,
    config_class: item.configClass ?? item.type.split('::')[0] ?? item.type,
    type: item.type,
    name: item.name,
    id: item.externalIds[0],
    external_id: item.externalIds[0],
    labels: item.labels,
    tags: item.tags,
    status: item.status,
    health: item.health,
    source: item.source,
    description: item.description,
  };
}

interface Identity {
  id: string;
  type: string;
  names: Names;
}

/** The item without what scripts make of it. */
function plainItem(from: Element, own: JsonObject, identity: Identity): ScrapedItem {
  const { element, document, entry, isFull } = from;
  const { known } = document;
  const stated = isFull ? own : {};
  const said = (key: string) => textOrNull(stated[key]);
  const labels = { ...known.labels, ...textsIn(stated['labels']), ...labelsOf(entry.labels, element) };
  const deleted = momentOf(entry.deleteFields, entry.timestampFormat, element);
  const statedDeleted = dateOf(stated['deleted_at']) ?? known.deletedAt ?? null;
  return {
    externalIds: [identity.id, ...new Set(identity.names.aliases.filter((alias) => alias !== identity.id))],
    type: identity.type,
    configClass: textAt(element, entry.class) ?? said('config_class') ?? known.configClass ?? null,
    name: identity.names.name ?? identity.id,
    status: textAt(element, entry.status) ?? said('status') ?? known.status ?? null,
    health: healthOf(textAt(element, entry.health) ?? said('health')) ?? known.health ?? null,
    ready: typeof stated['ready'] === 'boolean' ? stated['ready'] : (known.ready ?? null),
    description: textAt(element, entry.description) ?? said('description') ?? known.description ?? null,
    icon: textAt(element, entry.icon) ?? said('icon') ?? known.icon ?? null,
    config: null,
    labels,
    tags: { ...known.tags, ...textsIn(stated['tags']), ...tagsOf(entry.tags, element, labels) },
    properties: [
      ...(known.properties ?? []),
      ...(Array.isArray(stated['properties']) ? stated['properties'].filter(isRecord) : []),
    ],
    source: said('source') ?? known.source ?? document.source,
    createdAt:
      momentOf(entry.createFields, entry.timestampFormat, element) ??
      dateOf(stated['created_at']) ??
      known.createdAt ??
      null,
    deletedAt: deleted ?? statedDeleted,
    deleteReason:
      deleted !== null
        ? 'FROM_DELETE_FIELD'
        : statedDeleted !== null
          ? (known.deleteReason ?? 'FROM_ATTRIBUTE')
          : null,
    parents: [...(known.parents ?? []), ...refsOf(stated['parents'])],
    children: [...(known.children ?? []), ...refsOf(stated['children'])],
    relationships: [...(known.relationships ?? []), ...statedRelationships(stated['relationships'])],
    changes: [...(known.changes ?? [])],
    analyses: [...(known.analyses ?? [])],
    costs: costsOf(stated) ?? known.costs ?? null,
  };
}

/** Changes and findings of a full document, with what they are about. */
function takeParts(full: FullDocument, owner: Owner, { scripts, extracted }: Into) {
  const { counts } = extracted;
  const changes: ScrapedChange[] = [];
  for (const document of full.changes) {
    const read = readChange(document, owner);
    counts.changes.scraped += 1;
    if (read.ok) changes.push(read.value);
    else {
      counts.changes.skipped += 1;
      scripts.warn(read.reason);
    }
  }
  for (const document of full.analyses) {
    const read = readAnalysis(document, owner);
    counts.analysis.scraped += 1;
    if (read.ok) extracted.analyses.push(read.value);
    else {
      counts.analysis.skipped += 1;
      scripts.warn(read.reason);
    }
  }
  return changes;
}

function configOf(document: RawDocument, config: unknown): unknown {
  return typeof config === 'object' ? config : { format: document.format, content: config };
}

/** What the scripts of the entry add to the item. */
async function completed(
  item: ScrapedItem,
  { element, document, entry }: Element,
  given: { config: unknown; scripts: ScriptRunner },
): Promise<ScrapedItem> {
  const { scripts } = given;
  const variables = variablesOf(item, element);
  const subject = { type: item.type, variables };
  const aliases = await namedBy('aliases', { entry, item: subject }, scripts);
  const locations = await namedBy('locations', { entry, item: subject }, scripts);
  const [first, ...others] = item.externalIds;
  return {
    ...item,
    externalIds: [first, ...new Set([...others, ...aliases].filter((id) => id !== first))],
    config: await cleanConfig(
      entry.transform,
      { config: configOf(document, given.config), type: item.type, variables },
      scripts,
    ),
    properties: [
      ...item.properties,
      ...(await propertiesOf(entry.properties, subject, scripts)),
      ...locations.map((location) => ({ name: 'location', text: location })),
    ],
    relationships: [
      ...item.relationships,
      ...(await relationshipsOf(
        entry.transform?.relationship ?? [],
        { labels: item.labels, variables },
        scripts,
      )),
    ],
  };
}

/** Where neither the specification nor the kind says how an item is, its document does, by the rules of its type. */
function withHealth(item: ScrapedItem, { now }: Into): ScrapedItem {
  if (item.health !== null || item.status !== null) return item;
  const told = itemHealth(item.type, item.config, { now, nextRun: nextRunOf });
  if (told === null) return item;
  const { health, ready, status, message } = told;
  return {
    ...item,
    health,
    ready: item.ready ?? ready,
    status: status === '' ? null : status,
    description: item.description ?? (message === '' ? null : message),
  };
}

/** What a document without an id or a type still tells: changes and findings of other items. */
async function takeLoose(from: Element, full: FullDocument, into: Into & { owner: Owner }) {
  for (const change of takeParts(full, into.owner, into)) {
    const found = { change, subject: {} };
    into.extracted.changes.push(await applyChangeRules(from.entry.transform, found, into.scripts));
  }
}

/** Adds to `extracted` what the element says. Throws nothing: what is missing becomes an error there. */
export async function extractItem(from: Element, into: Into): Promise<void> {
  const { element, document, entry, isFull } = from;
  const { scripts, extracted } = into;
  const full: FullDocument = isFull
    ? readFullDocument(element)
    : { config: element, changes: [], analyses: [], foreign: [] };
  for (const key of full.foreign)
    scripts.warn(`${key}: users, groups, roles and their access are not part of the catalog; left out`);
  const own = isRecord(element) ? element : {};
  const names = namesOf(from, own);
  const said: Owner = { type: names.type, externalId: names.id };
  const owner = names.id === null || names.type === null ? null : { type: names.type, externalId: names.id };
  const hasNoItem = isFull && (isNone(textAt(element, entry.type)) || isNone(textAt(element, entry.id)));
  if (full.config === undefined || (owner === null && hasNoItem)) {
    await takeLoose(from, full, { ...into, owner: said });
    return;
  }
  if (owner === null) {
    const field = names.id === null ? 'id' : 'type';
    const given = entry[field];
    extracted.errors.push(
      given === undefined
        ? `${field}: is required; nothing of ${document.source} says what it is`
        : `${field}: "${given}" finds nothing in ${document.source}`,
    );
    await takeLoose(from, full, { ...into, owner: said });
    return;
  }
  const plain = plainItem(from, own, { id: owner.externalId, type: owner.type, names });
  const item = withHealth(await completed(plain, from, { config: full.config, scripts }), into);
  const subject = variablesOf(item, element);
  const changes: ScrapedChange[] = [];
  for (const change of [...item.changes, ...takeParts(full, said, into)])
    changes.push(await applyChangeRules(entry.transform, { change, subject }, scripts));
  extracted.items.push({ ...item, changes });
}
