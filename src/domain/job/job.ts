/** Job history: what can be filtered, and where a job's resource is found (spec 2 §2, §5). */
import { recordOf } from '../../lib/is-record.ts';
import { links } from '../links.ts';

/** STOPPED is shown, not offered. */
export const JOB_STATUSES = ['RUNNING', 'SUCCESS', 'WARNING', 'FAILED'] as const;
export const JOB_RESOURCE_TYPES = ['canary', 'topology', 'config_scraper'] as const;

/** Contract §14.2. */
export const RUN_DURATIONS = [
  { label: 'None', durationMs: null },
  { label: '15s', durationMs: 15_000 },
  { label: '30s', durationMs: 30_000 },
  { label: '60s', durationMs: 60_000 },
  { label: '2m', durationMs: 120_000 },
  { label: '3m', durationMs: 180_000 },
  { label: '5m', durationMs: 300_000 },
  { label: '10m', durationMs: 600_000 },
  { label: '15m', durationMs: 900_000 },
] as const;

/** The page of what a job worked on; null where there is none. */
export function jobResourceLink(type: string, id: string): string | null {
  switch (type) {
    case 'canary':
      return links.canarySettings(id);
    case 'config_scraper':
    case 'catalog_scraper':
      return links.scraper(id);
    case 'topology':
      return links.resource('topologies', id);
    case 'playbook':
      return links.playbook(id);
    case 'config':
      return links.config(id);
    default:
      return null;
  }
}

export interface JobDetails {
  errors: string[];
  scrapeSummary: unknown;
  summary: unknown;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Errors come as one text, as a list, or by name. */
function errorList(value: unknown): string[] {
  if (isEmpty(value)) return [];
  // Canaries and scrapers say more about an error than its sentence; people read the sentence.
  const text = (one: unknown) => {
    const said = typeof one === 'string' ? one : recordOf(one)['message'];
    return typeof said === 'string' && said !== '' ? said : JSON.stringify(one);
  };
  if (Array.isArray(value)) return value.map(text);
  if (typeof value !== 'object') return [text(value)];
  return Object.entries(recordOf(value)).map(([name, one]) => `${name}: ${text(one)}`);
}

/** What there is to say about a run; null when there is nothing. */
export function jobDetails(details: unknown): JobDetails | null {
  const { errors, scrape_summary: scrapeSummary, summary } = recordOf(details);
  const found: JobDetails = {
    errors: errorList(errors),
    scrapeSummary: isEmpty(scrapeSummary) ? null : scrapeSummary,
    summary: isEmpty(summary) ? null : summary,
  };
  const isSomething = found.errors.length > 0 || found.scrapeSummary !== null || found.summary !== null;
  return isSomething ? found : null;
}
