/** The links that selectors of components, checks and teams come to, up to so many: each selector times each of its owners. */
import { createHash } from 'node:crypto';
import type { SpecSelector } from '../../../src/contract/specs/topology-spec.ts';
import { OURS, type Link } from './links-query.ts';

/** Of one job: ten thousand components that each select all of them would be a hundred million. */
const MAX_LINKS = 200_000;

export interface Selecting {
  id: string;
  selectors: readonly SpecSelector[];
}

const idOf = (written: SpecSelector) =>
  OURS + createHash('md5').update(JSON.stringify(written)).digest('hex');

/** What one of them selects, each once for each selector, never itself. */
function* linksOf(
  { id, selectors }: Selecting,
  idsOf: (selector: SpecSelector) => readonly string[],
): Generator<Link> {
  const bySelector = new Map(selectors.map((one) => [idOf(one), one]));
  for (const [selectorId, selector] of bySelector)
    for (const other of new Set(idsOf(selector)))
      if (other !== id) yield { component_id: id, other_id: other, selector_id: selectorId };
}

/** In the order of those that select; `errors` says what is left out. */
export function collectLinks(
  all: readonly Selecting[],
  idsOf: (selector: SpecSelector) => readonly string[],
  maxLinks = MAX_LINKS,
): { links: Link[]; errors: string[] } {
  const links: Link[] = [];
  for (const [at, one] of all.entries())
    for (const link of linksOf(one, idsOf)) {
      if (links.length < maxLinks) {
        links.push(link);
        continue;
      }
      const rest = `the rest, of the last ${all.length - at} of ${all.length}, is left out`;
      return { links, errors: [`more than ${maxLinks} links: ${rest}`] };
    }
  return { links, errors: [] };
}
