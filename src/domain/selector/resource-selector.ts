/**
 * Resource selectors (schema §5.1): which configs, components, checks … somebody means. All parts given must hold;
 * a selector that says nothing matches nothing. Texts are compared without regard to case. Knows no tables: what
 * reads them turns the terms into its own conditions.
 */
import { parseLabelSelector } from '../label-selector.ts';
import type { LabelRequirement } from '../label-selector.ts';
import { parseMatchList } from '../match-list.ts';
import type { MatchList } from '../match-list.ts';
import { readSearchText } from './search-text.ts';

/** As it is written in specifications and requests. */
export interface ResourceSelector {
  id?: string | null | undefined;
  name?: string | null | undefined;
  namespace?: string | null | undefined;
  /** Id or name; `all` for every agent; nothing, `self` or `local` for this server. */
  agent?: string | null | undefined;
  /** What it belongs to: id, or namespace/name, of a scraper, canary or topology. */
  scope?: string | null | undefined;
  types?: readonly string[] | null | undefined;
  statuses?: readonly string[] | null | undefined;
  health?: string | null | undefined;
  labelSelector?: string | null | undefined;
  tagSelector?: string | null | undefined;
  fieldSelector?: string | null | undefined;
  search?: string | null | undefined;
  limit?: number | null | undefined;
  includeDeleted?: boolean | null | undefined;
}

export interface SelectorTerms {
  id: string | null;
  name: MatchList;
  namespace: MatchList;
  agent: string;
  scope: string | null;
  types: MatchList;
  statuses: MatchList;
  health: MatchList;
  labels: readonly LabelRequirement[];
  tags: readonly LabelRequirement[];
  fields: readonly LabelRequirement[];
  /** Pairs of the search text whose keys are no part of a selector. */
  searched: readonly LabelRequirement[];
  /** What name, a tag or a label has to begin with. */
  prefix: string;
  limit: number | null;
  isDeletedToo: boolean;
}

export type SelectorReading =
  | { kind: 'nothing' }
  | { kind: 'terms'; terms: SelectorTerms }
  /** The part of the selector that can't be read. */
  | { kind: 'unreadable'; field: string; part: string };

const lowered = (text: string | null | undefined) => (text ?? '').trim().toLowerCase();

/** A name may have commas itself, so the whole text counts, too. */
function nameList(text: string): MatchList {
  const list = parseMatchList(text);
  const isWhole = !text.includes(',') || list.wanted.length === 0;
  return isWhole ? list : { ...list, wanted: [...list.wanted, { kind: 'exact', text }] };
}

/** `cluster` stands for every type that ends in `::cluster`. */
function typeList(texts: readonly string[]): MatchList {
  const withSuffix = (patterns: MatchList['wanted']): MatchList['wanted'] =>
    patterns.flatMap((pattern) =>
      pattern.kind === 'exact' && !pattern.text.includes('::')
        ? [pattern, { kind: 'suffix', text: `::${pattern.text}` }]
        : [pattern],
    );
  const list = parseMatchList(texts.join(','));
  return { wanted: withSuffix(list.wanted), refused: withSuffix(list.refused) };
}

function isNothing(selector: ResourceSelector): boolean {
  const { limit: _limit, includeDeleted: _deleted, types, statuses, ...texts } = selector;
  const lists = [...(types ?? []), ...(statuses ?? [])];
  const words = Object.values(texts).filter((value) => typeof value === 'string');
  return [...lists, ...words].every((text) => text.trim() === '');
}

/** The selector with what its search text says put in its place. */
function withSearch(selector: ResourceSelector) {
  const search = readSearchText(selector.search ?? '');
  return {
    search,
    id: lowered(search.id ?? selector.id),
    name: lowered(search.name ?? selector.name),
    namespace: lowered(search.namespace ?? selector.namespace),
    scope: lowered(search.scope ?? selector.scope),
    types: [...(selector.types ?? []), ...search.types].map(lowered),
    statuses: [...(selector.statuses ?? []), ...search.statuses].map(lowered),
    limit: search.limit ?? selector.limit ?? null,
  };
}

/** What the selector asks for. */
export function readSelector(selector: ResourceSelector): SelectorReading {
  if (isNothing(selector)) return { kind: 'nothing' };
  const requirements: LabelRequirement[][] = [];
  for (const field of ['labelSelector', 'tagSelector', 'fieldSelector'] as const) {
    const parsed = parseLabelSelector(selector[field] ?? '');
    if (!parsed.ok) return { kind: 'unreadable', field, part: parsed.part };
    requirements.push(parsed.requirements);
  }
  const [labels = [], tags = [], fields = []] = requirements;
  const { search, id, scope, limit, ...texts } = withSearch(selector);
  const terms: SelectorTerms = {
    id: id === '' ? null : id,
    name: nameList(texts.name),
    namespace: parseMatchList(texts.namespace),
    agent: lowered(selector.agent),
    scope: scope === '' ? null : scope,
    types: typeList(texts.types),
    statuses: parseMatchList(texts.statuses.join(',')),
    health: parseMatchList(lowered(selector.health)),
    labels,
    tags,
    fields,
    searched: search.others,
    prefix: search.prefix,
    limit,
    isDeletedToo: selector.includeDeleted === true,
  };
  return { kind: 'terms', terms };
}
