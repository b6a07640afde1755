/**
 * What is asked of whoever writes a specification, though one that is there already is read without it (spec 2 §5,
 * decisions/0073).
 */
import type { AskedFields } from '../../lib/asked-fields.ts';

/** An item has to be of a type and have an id; full documents name their own. */
export const ASKED_OF_SCRAPERS: AskedFields = {
  of: { http: ['type', 'id'], sql: ['type', 'id'] },
  unless: 'full',
};
/** By forms only: real specifications leave it out. */
export const ASKED_IN_SCRAPER_FORMS: AskedFields = {
  ...ASKED_OF_SCRAPERS,
  of: { ...ASKED_OF_SCRAPERS.of, kubernetesFile: ['type', 'id'] },
};
/** Without a query every document of the index is a hit. */
export const ASKED_OF_CHECKS: AskedFields = { of: { elasticsearch: ['query'] } };
