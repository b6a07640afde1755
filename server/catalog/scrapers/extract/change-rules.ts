/** Change mapping and exclusion of a transform (schema §5.2): what a change is called, and whether it counts. */
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';
import type { ScrapedChange } from '../specs/scraped.ts';
import type { ScriptRunner } from './extract-scope.ts';

type Transform = NonNullable<ScraperBase['transform']>;

/** What rules see beside the change itself: the item that it is about, as far as it is known. */
export type ChangeSubject = Record<string, unknown>;

function variablesOf(change: ScrapedChange, subject: ChangeSubject): Record<string, unknown> {
  return {
    config: null,
    config_type: change.about?.type ?? null,
    external_id: change.about?.externalId ?? null,
    ...subject,
    ...(change.about === null
      ? {}
      : { config_type: change.about.type, external_id: change.about.externalId }),
    change_type: change.changeType,
    external_change_id: change.externalChangeId,
    action: change.action,
    severity: change.severity,
    source: change.source,
    summary: change.summary ?? '',
    details: change.details,
    patch: change.patches,
    patches: change.patches,
    diff: change.diff,
    created_by: change.createdBy,
  };
}

/**
 * The change as the rules have it: the first mapping whose filter holds names type, severity, summary and action;
 * one that an exclusion finds becomes `ignore`, which is counted and not stored.
 */
export async function applyChangeRules(
  transform: Transform | undefined,
  found: { change: ScrapedChange; subject: ChangeSubject },
  scripts: ScriptRunner,
): Promise<ScrapedChange> {
  const { mapping = [], exclude = [] } = transform?.changes ?? {};
  const { change, subject } = found;
  if (mapping.length + exclude.length === 0) return change;
  const variables = variablesOf(change, subject);
  for (const [index, filter] of exclude.entries()) {
    const field = `transform.changes.exclude[${index}]`;
    if ((await scripts.holds(field, String(filter), variables)) === true)
      return { ...change, action: 'ignore' };
  }
  for (const [index, rule] of mapping.entries()) {
    const field = `transform.changes.mapping[${index}]`;
    if ((await scripts.holds(`${field}.filter`, rule.filter, variables)) !== true) continue;
    return {
      ...change,
      changeType: rule.type ?? change.changeType,
      severity: rule.severity ?? change.severity,
      action: rule.action ?? change.action,
      summary:
        rule.summary === undefined
          ? change.summary
          : await scripts.fill(`${field}.summary`, rule.summary, variables),
    };
  }
  return change;
}
