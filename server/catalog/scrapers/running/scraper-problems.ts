/**
 * What is wrong with a scraper's specification that somebody wants to keep. Stricter than reading one that is there
 * already: what would only fail in every run is refused before the first.
 */
import { ASKED_OF_SCRAPERS } from '../../../../src/contract/specs/asked-fields.ts';
import { scraperSpecSchema } from '../../../../src/contract/specs/scraper-spec.ts';
import { closestWord } from '../../../../src/lib/closest-word.ts';
import { isRecord } from '../../../../src/lib/is-record.ts';
import {
  mergedProblems,
  missingProblems,
  unknownFieldProblems,
} from '../../../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../../../platform/yaml/document-problems.ts';
import { SCRAPER_KINDS } from '../kinds/all-kinds.ts';
import { REFUSED_REASONS } from '../kinds/refused-kinds.ts';
import { readScraperSpec } from '../specs/scraper-document.ts';
import type { Scraper, ScraperEntry } from '../specs/scraper-document.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

/** Which of these fields an entry of a kind needs one of. */
const NEEDS_ONE_OF = lookupTable<readonly string[]>({
  http: ['url', 'connection'],
  file: ['paths', 'path', 'url', 'connection'],
});

function kindProblem(kind: string): string | null {
  const reason = REFUSED_REASONS[kind];
  if (reason !== undefined) return reason;
  if (SCRAPER_KINDS.has(kind)) return null;
  const running = [...SCRAPER_KINDS.keys()].filter((key) => REFUSED_REASONS[key] === undefined);
  const meant = closestWord(kind, [...running, ...Object.keys(scraperSpecSchema.shape)]);
  return `is not a kind of scraper; ${meant === null ? `known are ${running.toSorted().join(', ')}` : `did you mean "${meant}"?`}`;
}

function entryProblems({ kind, field, read }: ScraperEntry): DocumentProblem[] {
  if (!read.ok)
    return read.problems.map((problem) => {
      const [at = field, ...words] = problem.split(': ');
      return { field: `spec.${at}`, message: words.join(': ') };
    });
  const needed = NEEDS_ONE_OF[kind];
  const isGiven = (name: string) => {
    const value = read.spec[name];
    return Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value.trim() !== '';
  };
  if (needed === undefined || needed.some(isGiven)) return [];
  return [{ field: `spec.${field}.${needed[0] ?? ''}`, message: 'is required' }];
}

function kindProblems({ entries }: Scraper): DocumentProblem[] {
  return [...new Set(entries.map(({ kind }) => kind))].flatMap((kind) => {
    const message = kindProblem(kind);
    return message === null ? [] : [{ field: `spec.${kind}`, message }];
  });
}

/** The problems of a row as it is sent. */
export function scraperProblems({ spec }: { spec?: unknown }): DocumentProblem[] {
  const read = readScraperSpec({ name: 'scraper', namespace: 'default' }, spec);
  const misspelt = isRecord(spec) ? unknownFieldProblems(scraperSpecSchema, ['spec'], spec) : [];
  if (!read.ok) return mergedProblems(misspelt, read.problems);
  const kinds = kindProblems(read.scraper);
  if (kinds.length > 0) return kinds;
  const missing = missingProblems(ASKED_OF_SCRAPERS, spec);
  return mergedProblems(misspelt, [...read.scraper.entries.flatMap(entryProblems), ...missing]);
}
