/**
 * What hangs on a component: those that selectors put under it, its checks, items, relationships and logs. A document
 * says it, or a lookup of the components that it found (docs/decisions/0079).
 */
import { componentLinksSchema, type ComponentLinks } from '../../../src/contract/specs/topology-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import {
  mergedProblems,
  problemsOf,
  unknownFieldProblems,
  type DocumentProblem,
} from '../../platform/yaml/document-problems.ts';
import type { Draft } from './draft.ts';
import { selectorProblems } from './selectors.ts';

type Tell = (problem: string) => void;
export type DraftLinks = Pick<
  Draft,
  'selectors' | 'checks' | 'configs' | 'relationships' | 'logs' | 'parentLookup'
>;

/** As a specification says it. */
export function linksOf(spec: ComponentLinks): DraftLinks {
  const {
    selectors = [],
    checks = [],
    configs = [],
    relationships = [],
    logs = [],
    parentLookup = null,
  } = spec;
  return { selectors, checks, configs, relationships, logs, parentLookup };
}

/** Adds to what hangs on a component; of two log selectors of one name its own stays. */
export function addLinks(to: Draft, links: DraftLinks): void {
  to.selectors = [...to.selectors, ...links.selectors];
  to.checks = [...to.checks, ...links.checks];
  to.configs = [...to.configs, ...links.configs];
  to.relationships = [...to.relationships, ...links.relationships];
  const own = new Set(to.logs.map(({ name }) => name));
  to.logs = [...to.logs, ...links.logs.filter(({ name }) => !own.has(name))];
  to.parentLookup ??= links.parentLookup;
}

const FIELDS = Object.keys(componentLinksSchema.shape);

/** What a lookup's answer has of it. The API of a topology gives the numbers of checks under that name. */
function givenLinks(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.fromEntries(
    FIELDS.flatMap((field) => (raw[field] === undefined || raw[field] === null ? [] : [[field, raw[field]]])),
  );
  if (isRecord(given['checks']) && Object.values(given['checks']).every(Number.isFinite))
    delete given['checks'];
  return given;
}

/** What is well formed, and still can't be taken from a lookup. */
function meaningProblems({ selectors = [], configs = [], checks = [] }: ComponentLinks): DocumentProblem[] {
  return [
    ...selectors.flatMap((selector, at) => selectorProblems(selector, ['selectors', at])),
    ...configs.flatMap((selector, at) => selectorProblems(selector, ['configs', at])),
    ...checks.flatMap(({ selector, inline }, at) => [
      ...(selector === undefined ? [] : selectorProblems(selector, ['checks', at, 'selector'])),
      // Whoever answers a lookup would say what this server runs, and with which secrets.
      ...(inline === undefined
        ? []
        : [{ field: `checks[${at}].inline`, message: 'only a document brings checks of its own along' }]),
    ]),
  ];
}

const PLACE = /^(\w+)(?:\[(\d+)\])?/;

/** Without the entries of which there is a problem; of what is no list, without the field. */
function withoutProblems(given: Record<string, unknown>, problems: readonly DocumentProblem[]) {
  const wrong = new Map<string, Set<number> | 'all'>();
  for (const { field } of problems) {
    const [, name = '', at] = PLACE.exec(field) ?? [];
    const known = wrong.get(name) ?? new Set<number>();
    if (at === undefined || known === 'all') wrong.set(name, 'all');
    else wrong.set(name, known.add(Number(at)));
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => {
      const entries = wrong.get(field);
      if (entries === undefined) return [[field, value]];
      if (entries === 'all' || !Array.isArray(value)) return [];
      return [[field, value.filter((_entry, at) => !entries.has(at))]];
    }),
  );
}

/** Of a component that a lookup found; `tell` hears what is left out, and why. */
export function foundLinks(raw: Readonly<Record<string, unknown>>, tell: Tell): DraftLinks {
  const given = givenLinks(raw);
  const read = componentLinksSchema.safeParse(given);
  const problems = mergedProblems(
    unknownFieldProblems(componentLinksSchema, [], given),
    read.success ? meaningProblems(read.data) : problemsOf(read.error, [], given),
  );
  if (problems.length === 0) return linksOf(read.data ?? {});
  for (const { field, message } of problems) tell(`${field} is left out: ${message}`);
  const sound = withoutProblems(given, problems);
  // What was wrong in its form is gone: now its meaning is looked at.
  return read.success ? linksOf(componentLinksSchema.parse(sound)) : foundLinks(sound, tell);
}
