/**
 * Extraction: what one entry of a specification read becomes items, changes and findings (schema §5.2 base and
 * transform, §5.3). Pure but for the expression thread. What can't be told what it is, is told and left out; the
 * rest counts.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';
import { inTurns } from '../../../platform/in-turns.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import type { Expressions } from '../../../platform/expressions/expression-thread.ts';
import { hasScript } from '../../../platform/expressions/script.ts';
import type { MapDiff } from '../ingest/changes/map-diffs.ts';
import type {
  RawDocument,
  ScrapeOutput,
  ScrapedAnalysis,
  ScrapedChange,
  ScrapedItem,
} from '../specs/scraped.ts';
import { applyChangeRules } from './change-rules.ts';
import { extractItem } from './extract-item.ts';
import { Warnings, createScriptRunner, scriptOf } from './extract-scope.ts';
import type { ScriptRunner } from './extract-scope.ts';
import { findAll } from './json-values.ts';

/** Documents that one entry may bring. */
const MAX_ELEMENTS = 100_000;
const MAX_ERRORS = 100;

/** What the changes and findings of a run were counted as (their kind's part of the scrape summary). */
export interface Counted {
  scraped: number;
  skipped: number;
}

export interface Extracted {
  items: ScrapedItem[];
  changes: ScrapedChange[];
  analyses: ScrapedAnalysis[];
  /** What was left out, in a sentence each: the run is not a full success. */
  errors: string[];
  /** What went wrong without loss; rules that run later add to it. */
  readonly warnings: string[];
  /** Applies the entry's rules to a diff of one of its items. */
  mapDiff: MapDiff;
  counts: { changes: Counted; analysis: Counted };
}

export interface EntryToExtract {
  /** `file[0]`: begins every message. */
  field: string;
  entry: ScraperBase;
  isFull: boolean;
  now: Date;
}

/** The elements of a document: by `items`, by the transform's script, else of a list its entries. */
async function elementsOf(
  document: RawDocument,
  entry: ScraperBase,
  scripts: ScriptRunner,
): Promise<unknown[]> {
  const { content } = document;
  const found = entry.items === undefined ? [content] : findAll(content, entry.items);
  const [only] = found;
  const parts = entry.items !== undefined && found.length === 1 && Array.isArray(only) ? only : found;
  const script = scriptOf(entry.transform);
  if (!hasScript(script)) return parts.flatMap((part): unknown[] => (Array.isArray(part) ? part : [part]));
  const made: unknown[] = [];
  for (const config of parts) {
    const variables = { config, source: document.source, format: document.format };
    for (const one of await scripts.list('transform', script, variables)) made.push(one);
  }
  return made;
}

/** Diffs are found when items are stored; the rules for them are those of the entry that brought the item. */
function diffMapper(entry: ScraperBase, scripts: ScriptRunner): MapDiff {
  return async (diff, subject) => {
    const change = {
      ...diff,
      about: null,
      externalChangeId: null,
      action: null,
      details: null,
      createdBy: null,
      createdAt: null,
    };
    const mapped = await applyChangeRules(entry.transform, { change, subject }, scripts);
    if (mapped.action === 'ignore') return null;
    const { changeType, summary } = mapped;
    return { changeType, summary, severity: mapped.severity ?? diff.severity };
  };
}

/** Everything that the entry's output says. */
export async function extractEntry(
  output: ScrapeOutput,
  { field, entry, isFull, now }: EntryToExtract,
  expressions: Expressions,
): Promise<Extracted> {
  const warnings = new Warnings();
  for (const text of output.warnings ?? []) warnings.add(text);
  const scripts = createScriptRunner(expressions, warnings);
  const extracted: Extracted = {
    items: [],
    changes: [],
    analyses: [...output.analyses],
    errors: [],
    get warnings() {
      return warnings.list().map((text) => `${field}.${text}`);
    },
    mapDiff: diffMapper(entry, scripts),
    counts: {
      changes: { scraped: output.changes.length, skipped: 0 },
      analysis: { scraped: output.analyses.length, skipped: 0 },
    },
  };
  for await (const change of inTurns(output.changes))
    extracted.changes.push(await applyChangeRules(entry.transform, { change, subject: {} }, scripts));
  let room = MAX_ELEMENTS;
  for await (const document of inTurns(output.documents)) {
    try {
      const elements = await elementsOf(document, entry, scripts);
      if (elements.length > room)
        throw new AppError('invalid', `items: more than ${MAX_ELEMENTS} documents; the rest is left out`);
      room -= elements.length;
      for await (const element of inTurns(elements))
        await extractItem({ element, document, entry, isFull }, { scripts, extracted, now });
    } catch (error) {
      extracted.errors.push(`${reasonOf(error)} (${document.source})`);
    }
  }
  const reasons = [...new Set(extracted.errors)].slice(0, MAX_ERRORS);
  extracted.errors = [...output.errors, ...reasons.map((text) => `${field}.${text}`)];
  return extracted;
}
