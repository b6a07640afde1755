/** The shapes that kinds fill in: an item's document, a change and a finding with nothing said yet. */
import type { RawDocument, ScrapedAnalysis, ScrapedChange, ScrapeOutput } from '../../specs/scraped.ts';

/** A document that is read as JSON already. */
export function jsonDocument(content: unknown, source: string, known: RawDocument['known']): RawDocument {
  return { content, format: 'json', source, known };
}

/** A change with only what is given; everything else is for the ingestion to decide. */
export function change(given: Partial<ScrapedChange> & { changeType: string }): ScrapedChange {
  return {
    about: null,
    externalChangeId: null,
    action: null,
    severity: null,
    source: null,
    summary: null,
    details: null,
    patches: null,
    diff: null,
    createdBy: null,
    createdAt: null,
    ...given,
  };
}

/** A finding; what isn't given is null. */
export function analysis(given: Partial<ScrapedAnalysis> & { analyzer: string }): ScrapedAnalysis {
  return {
    about: null,
    analysisType: null,
    severity: null,
    summary: null,
    message: null,
    status: null,
    source: null,
    analysis: null,
    firstObserved: null,
    lastObserved: null,
    ...given,
  };
}

/** What a kind answers; complete unless it says otherwise. */
export function output(given: Partial<ScrapeOutput>): ScrapeOutput {
  return { documents: [], changes: [], analyses: [], errors: [], isComplete: true, ...given };
}
