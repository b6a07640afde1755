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

/** Each once, in the order of those that select; `errors` says what is left out. */
export function collectLinks(
  all: readonly Selecting[],
  idsOf: (selector: SpecSelector) => readonly string[],
  maxLinks = MAX_LINKS,
): { links: Link[]; errors: string[] } {
  const links: Link[] = [];
  for (const [at, { id, selectors }] of all.entries()) {
    const ids = new Map<string, readonly string[]>();
    for (const one of selectors) ids.set(idOf(one), idsOf(one));
    for (const [selectorId, others] of ids)
      for (const other of new Set(others)) {
        if (other === id) continue;
        if (links.length === maxLinks) {
          const places = all.length - at;
          const errors = [`more than ${maxLinks} links: the rest, of the last ${places} of ${all.length}, is left out`];
          return { links, errors };
        }
        links.push({ component_id: id, other_id: other, selector_id: selectorId });
      }
  }
  return { links, errors: [] };
}
