/**
 * Documents of `full: true` scrapers: besides the configuration they bring changes, findings and what is known
 * of the item. What has no home here (users, groups and roles of other systems) is named and left out.
 */
import { isRecord } from '../../../../src/lib/is-record.ts';
import type { ExternalRef, ScrapedAnalysis, ScrapedChange } from '../specs/scraped.ts';
import type { JsonObject } from './json-values.ts';
import { textOrNull } from './json-values.ts';

const FOREIGN = [
  'access',
  'access_logs',
  'config_access',
  'external_users',
  'external_groups',
  'external_roles',
  'external_user_groups',
];

export interface FullDocument {
  /** undefined: the document brings none, and nothing is to be stored as an item. */
  config: unknown;
  changes: JsonObject[];
  analyses: JsonObject[];
  /** Keys of the document that are not kept. */
  foreign: string[];
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** The parts of a document. One with none of the parts is a configuration as it is. */
export function readFullDocument(document: unknown): FullDocument {
  if (!isRecord(document)) return { config: document, changes: [], analyses: [], foreign: [] };
  const foreign = FOREIGN.filter((key) => document[key] !== undefined);
  const changes = objects(document['changes']);
  const analyses = objects(document['analysis']);
  const hasParts = 'changes' in document || 'analysis' in document || foreign.length > 0;
  const own = document['config'];
  const config = own === undefined || own === null ? (hasParts ? undefined : document) : own;
  return { config, changes, analyses, foreign };
}

/** A moment in RFC 3339; null for what isn't one. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value === '') return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

const words = (document: JsonObject, ...names: string[]): string | null =>
  names.reduce<string | null>((found, name) => found ?? textOrNull(document[name]), null);

/** What the document that a change came in says of itself; null parts are not said. */
export interface Owner {
  type: string | null;
  externalId: string | null;
}

/**
 * What it is about: each part as it says itself, else as its document does. Without a type, the id alone tells;
 * without an id, nothing does.
 */
function aboutOf(document: JsonObject, owner: Owner): ExternalRef | null {
  const externalId = words(document, 'external_id') ?? owner.externalId;
  const type = words(document, 'config_type') ?? owner.type ?? '';
  return externalId === null ? null : { type, externalId };
}

/** What could not be taken, in the words of the product. */
export type Read<T> = { ok: true; value: T } | { ok: false; reason: string };

/** The source's own word for what was done; only two of them do something here. */
function detailsOf(document: JsonObject, action: string | null): unknown {
  const details = document['details'];
  if (action === null || action === 'delete' || action === 'ignore') return details ?? null;
  return isRecord(details) || details === undefined || details === null
    ? { action, ...(isRecord(details) ? details : {}) }
    : details;
}

/** A change of a full document. */
export function readChange(document: JsonObject, owner: Owner): Read<ScrapedChange> {
  const about = aboutOf(document, owner);
  if (about === null) return { ok: false, reason: 'change missing external_id' };
  const externalChangeId = words(document, 'external_change_id');
  if (externalChangeId === null) return { ok: false, reason: 'change missing external_change_id' };
  const changeType = words(document, 'change_type');
  if (changeType === null) return { ok: false, reason: 'change missing change_type' };
  const action = words(document, 'action');
  return {
    ok: true,
    value: {
      about,
      externalChangeId,
      changeType,
      action: action === 'delete' || action === 'ignore' ? action : null,
      severity: words(document, 'severity'),
      source: words(document, 'source'),
      summary: words(document, 'summary'),
      details: detailsOf(document, action),
      patches: document['patches'] ?? document['patch'] ?? null,
      diff: words(document, 'diff'),
      createdBy: words(document, 'created_by', 'external_created_by'),
      createdAt: dateOf(document['created_at']),
    },
  };
}

/** A finding of a full document. */
export function readAnalysis(document: JsonObject, owner: Owner): Read<ScrapedAnalysis> {
  const about = aboutOf(document, owner);
  if (about === null) return { ok: false, reason: 'analysis missing external_id' };
  const analyzer = words(document, 'analyzer');
  if (analyzer === null) return { ok: false, reason: 'analysis missing analyzer' };
  return {
    ok: true,
    value: {
      about,
      analyzer,
      analysisType: words(document, 'analysis_type'),
      severity: words(document, 'severity'),
      summary: words(document, 'summary'),
      message: words(document, 'message'),
      status: words(document, 'status'),
      source: words(document, 'source'),
      analysis: document['analysis'] ?? null,
      firstObserved: dateOf(document['first_observed']),
      lastObserved: dateOf(document['last_observed']),
    },
  };
}
