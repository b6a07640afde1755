/**
 * One run's tree: the root, the components of the document, and what their lookups found (schema §6.1, §6.2). Writes
 * nothing. Invariants: it ends, whatever the document and the services say; what it leaves out is in the problems.
 */
import type { TopologySpec } from '../../../src/contract/specs/topology-spec.ts';
import type { Component } from '../../../src/domain/topology/component.ts';
import { createLiveRollUp } from '../../../src/domain/topology/live-roll-up.ts';
import { cutText } from '../../../src/lib/cut-text.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { BuildContext } from './build-context.ts';
import { attributesOf, draftOf, setProperty, type Draft } from './draft.ts';
import { expandAll } from './expand.ts';
import { fill } from './fill.ts';
import { placeByParent, type FindParent, type PlacedElsewhere } from './place.ts';
import { setProperties, variablesOf } from './properties.ts';
import { groupBy } from '../../../src/lib/group-by.ts';

/** Of one topology; what is more is left out. */
export const MAX_COMPONENTS = 10_000;
const MAX_GROUPS = 100;
/** Characters. */
const MAX_NAME = 500;
const MAX_TYPE = 100;

export interface BuiltTopology {
  root: Draft;
  /** Those whose parents are in other topologies. */
  elsewhere: readonly PlacedElsewhere[];
}

export interface BuildRequest {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  spec: TopologySpec;
}

/** What a run may ask for beside its context. */
export interface BuildSources {
  findParent: FindParent;
  /** Values of a tag among the items that a selector means; all items without one. */
  tagValues: (groupBy: NonNullable<TopologySpec['groupBy']>) => Promise<string[]>;
}

/** Counts components up to the limit. */
export function createCount(context: Pick<BuildContext, 'problems'>, limit: number): BuildContext['count'] {
  let left = limit;
  return (howMany) => {
    if (howMany <= left) {
      left -= howMany;
      return true;
    }
    context.problems.tell(`more than ${limit} components: the rest is left out`);
    return false;
  };
}

function rootOf({ name, namespace, labels, spec }: BuildRequest): Draft {
  const text = spec.text === undefined ? '' : String(spec.text);
  return draftOf(cutText(text === '' ? name : text, MAX_NAME), {
    namespace,
    labels,
    text: spec.label ?? null,
    type: spec.type === undefined ? null : cutText(spec.type, MAX_TYPE),
    topologyType: spec.type ?? null,
    icon: spec.icon ?? null,
    owner: spec.owner ?? null,
    tooltip: spec.tooltip ?? null,
    configs: spec.configs ?? [],
    statusExpr: spec.statusExpr ?? null,
    healthExpr: spec.healthExpr ?? null,
  });
}

/** A component for each value of a tag, each with all of the document's components. */
async function expandGroups(
  context: BuildContext,
  { spec }: BuildRequest,
  { root, values, tag }: { root: Draft; values: readonly string[]; tag: string },
): Promise<void> {
  if (values.length === 0) context.problems.tell(`groupBy: no config item has the tag ${tag}`);
  if (values.length > MAX_GROUPS)
    context.problems.tell(`groupBy: ${tag} has ${values.length} values; ${MAX_GROUPS} are built`);
  for (const value of values.slice(0, MAX_GROUPS)) {
    const group = draftOf(value, { type: tag, configs: [{ tags: { [tag]: value } }] });
    if (!context.count(1)) return;
    root.children.push(group);
    const variables = { ...context.variables, group: { tag, value, name: value } };
    const components = await fill(spec.components ?? [], variables, context.expressions);
    await expandAll({ ...context, variables }, components, { into: group, at: 'components', depth: 1 });
  }
}

function* rowsOf(draft: Draft, path: string): Generator<Component> {
  yield {
    id: path,
    name: draft.name,
    parent_id: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null,
    type: draft.type,
    status: draft.status,
    health: draft.health,
    status_expr: null,
    health_expr: null,
    checks: null,
    incidents: null,
    analysis: null,
    children: null,
  };
  for (const [at, child] of draft.children.entries()) yield* rowsOf(child, `${path}/${at}`);
}

function pathsOf(draft: Draft, path: string, paths: Map<Draft, string>): Map<Draft, string> {
  paths.set(draft, path);
  for (const [at, child] of draft.children.entries()) pathsOf(child, `${path}/${at}`, paths);
  return paths;
}

/** Whether there may be more under it than was found. */
const hasGaps = (draft: Draft): boolean => draft.isIncomplete || draft.children.some(hasGaps);

/** Properties over what is summed up under their components; where a part of that was not found, what was known stays. */
async function setSummed(context: BuildContext, tops: readonly Draft[]): Promise<void> {
  if (context.summed.length === 0) return;
  const rows = tops.flatMap((top, at) => [...rowsOf(top, String(at))]);
  const rolled = createLiveRollUp(rows, () => ({ health: null, status: null }));
  const paths = new Map<Draft, string>();
  for (const [at, top] of tops.entries()) pathsOf(top, String(at), paths);
  for (const { draft, spec, at } of context.summed) {
    if (hasGaps(draft)) {
      draft.keepsOldProperties = true;
      continue;
    }
    const { summary = {}, health = '' } = rolled.get(paths.get(draft) ?? '') ?? {};
    const children = draft.children.map(({ name, type, status }) => ({ name, type, status }));
    const variables = { ...variablesOf(context, draft), summary, health, children, components: children };
    try {
      const { json, text } = await context.expressions.evaluate(spec.summary ?? {}, {
        variables,
        durationNames: [],
        lastResult: null,
      });
      const found = typeof json === 'number' ? { value: json } : { text };
      setProperty(draft, { ...attributesOf(spec), ...found, name: String(spec.name ?? spec.label ?? '') });
    } catch (error) {
      context.problems.tell(`${at}.summary: ${reasonOf(error)}`);
    }
  }
}

/** Why there can be no row of it: an index holds both in 2,704 bytes. */
function tooLong({ name, type }: Draft): string | null {
  if (name.length > MAX_NAME)
    return `its name has ${name.length} characters; at most ${MAX_NAME} are possible`;
  const length = type?.length ?? 0;
  return length > MAX_TYPE ? `its type has ${length} characters; at most ${MAX_TYPE} are possible` : null;
}

/** Siblings of one type and name would be one row: the first stays, with what is under all of them. */
function withoutTwins(siblings: readonly Draft[], parent: string, tell: (problem: string) => void): Draft[] {
  const kept = new Map<string, Draft>();
  for (const child of siblings) {
    const fault = tooLong(child);
    if (fault !== null) {
      tell(`"${cutText(child.name, 50)}" under ${parent} is left out: ${fault}`);
      continue;
    }
    const key = `${child.type ?? ''}\n${child.name}`;
    const twin = kept.get(key);
    if (twin === undefined) kept.set(key, child);
    else {
      twin.children.push(...child.children);
      twin.isIncomplete ||= child.isIncomplete;
      tell(`"${child.name}" is under ${parent} more than once: only the first is kept`);
    }
  }
  for (const child of kept.values()) child.children = withoutTwins(child.children, `"${child.name}"`, tell);
  return [...kept.values()];
}

/** The same of those elsewhere: siblings are those with the same parent there. */
function elsewhereWithoutTwins(
  elsewhere: readonly PlacedElsewhere[],
  tell: (problem: string) => void,
): PlacedElsewhere[] {
  const byParent = groupBy(elsewhere, (one) => one.parent.id);
  return [...byParent.values()].flatMap((placed) => {
    const siblings = withoutTwins(
      placed.map(({ draft }) => draft),
      'a component of another topology',
      tell,
    );
    const kept = new Set(siblings);
    return placed.filter(({ draft }) => kept.has(draft));
  });
}

/** Builds the tree. Throws only when the run was stopped. */
export async function buildTopology(
  context: BuildContext,
  request: BuildRequest,
  { findParent, tagValues }: BuildSources,
): Promise<BuiltTopology> {
  const { spec } = request;
  const root = rootOf(request);
  context.count(1);
  const tag = spec.groupBy?.tag;
  if (spec.groupBy !== undefined && tag !== undefined)
    await expandGroups(context, request, { root, tag, values: await tagValues(spec.groupBy) });
  else await expandAll(context, spec.components ?? [], { into: root, at: 'components', depth: 1 });
  await setProperties(context, spec.properties ?? [], { members: [root], at: 'properties' });
  if (spec.id !== undefined) {
    const scope = { variables: variablesOf(context, root), durationNames: [], lastResult: null };
    const id = await context.expressions.evaluate(spec.id, scope).catch(() => null);
    if (id !== null && id.text !== '' && id.text !== 'undefined') root.externalId = id.text;
  }
  if (spec.push !== undefined) context.problems.tell('push: components are not passed on to other servers');
  const placed = await placeByParent(root, findParent, context.problems);
  const { tell } = context.problems;
  const elsewhere = elsewhereWithoutTwins(placed, tell);
  root.children = withoutTwins(root.children, `"${root.name}"`, tell);
  await setSummed(context, [root, ...elsewhere.map(({ draft }) => draft)]);
  return { root, elsewhere };
}
