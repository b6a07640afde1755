/**
 * Turns the components of a document into drafts (schema §6.1). A component with a lookup is a group whose members are
 * what the lookup found; one of type `virtual`, or without a name, is not shown: what is under it goes to its parent.
 */
import { COMPONENT_FIELDS, type ComponentSpec } from '../../../src/contract/specs/topology-spec.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { BuildContext } from './build-context.ts';
import { draftOf, textsOf, type Draft, type DraftFields } from './draft.ts';
import { fill } from './fill.ts';
import { addLinks, linksOf } from './links.ts';
import { setProperties, variablesOf } from './properties.ts';
import { componentsOf } from './read-output.ts';

const VIRTUAL = 'virtual';
const MAX_DEPTH = 20;
/** Members that are worked on side by side: each may wait for a service. */
const AT_ONCE = 8;

const KNOWN_FIELDS: ReadonlySet<string> = new Set(COMPONENT_FIELDS);

const isVirtual = ({ type }: Pick<ComponentSpec, 'type'>) => type?.toLowerCase() === VIRTUAL;
const isShown = (spec: ComponentSpec) =>
  spec.name !== undefined && String(spec.name) !== '' && !isVirtual(spec);

function fieldsOf(spec: ComponentSpec): DraftFields {
  const levels = Object.entries(spec.summary ?? {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return {
    namespace: spec.namespace ?? null,
    type: isVirtual(spec) ? null : (spec.type ?? null),
    icon: spec.icon ?? null,
    owner: spec.owner ?? null,
    tooltip: spec.tooltip ?? null,
    lifecycle: spec.lifecycle ?? null,
    externalId: spec.externalID ?? null,
    order: spec.order ?? null,
    labels: textsOf(spec.labels),
    hidden: spec.hidden ?? null,
    status: spec.status ?? '',
    health: spec.health ?? null,
    statusExpr: spec.statusExpr ?? null,
    healthExpr: spec.healthExpr ?? null,
    configId: spec.configID ?? null,
    summary: levels.length === 0 ? null : Object.fromEntries(levels),
  };
}

/** What a lookup's component does not say of itself, its group says. */
function inherit(member: Draft, spec: ComponentSpec): void {
  const group = fieldsOf(spec);
  member.type ??= group.type ?? null;
  member.namespace ??= group.namespace ?? null;
  member.icon ??= group.icon ?? null;
  member.owner ??= group.owner ?? null;
  member.lifecycle ??= group.lifecycle ?? null;
  member.tooltip ??= group.tooltip ?? null;
  member.hidden ??= isShown(spec) ? null : (group.hidden ?? null);
  member.order ??= isShown(spec) ? null : (group.order ?? null);
  member.labels = { ...group.labels, ...member.labels };
  // The others hang on the group, where it is shown.
  const { logs, ...links } = linksOf(spec);
  addLinks(member, isShown(spec) ? linksOf({ logs }) : { ...links, logs });
}

/** How outer systems call a component, where a script says so. */
async function setId(
  context: BuildContext,
  draft: Draft,
  script: NonNullable<ComponentSpec['id']>,
): Promise<void> {
  const scope = { variables: variablesOf(context, draft), durationNames: [], lastResult: null };
  try {
    const { text } = await context.expressions.evaluate(script, scope);
    // What a property that isn't there comes to.
    if (text.trim() !== '' && text !== 'undefined' && text !== 'null') draft.externalId = text.trim();
  } catch (error) {
    context.problems.tell(`id: ${reasonOf(error)}`);
  }
}

async function eachMember(members: readonly Draft[], work: (member: Draft) => Promise<void>): Promise<void> {
  const waiting = members.values();
  const take = async () => {
    for (const member of waiting) await work(member);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, members.length) }, take));
}

async function applyForEach(
  context: BuildContext,
  spec: NonNullable<ComponentSpec['forEach']>,
  { member, at, depth }: { member: Draft; at: string; depth: number },
): Promise<void> {
  try {
    const {
      components = [],
      properties = [],
      ...links
    } = await fill(spec, variablesOf(context, member), context.expressions);
    addLinks(member, linksOf(links));
    await setProperties(context, properties, { members: [member], at: `${at}.properties` });
    await expandAll(context, components, { into: member, at: `${at}.components`, depth: depth + 1 });
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.problems.tell(`${at}: "${member.name}": ${reasonOf(error)}`);
  }
}

/** What its lookup found, and whether that is all. */
async function lookUpMembers(
  context: BuildContext,
  spec: ComponentSpec,
  at: string,
): Promise<{ members: Draft[]; isWhole: boolean }> {
  if (spec.lookup === undefined) return { members: [], isWhole: true };
  const tell = (problem: string) => context.problems.tell(`${at}.lookup: ${problem}`);
  const { outputs, isWhole } = await context.lookups.run(spec.lookup, `${at}.lookup`, context.variables);
  const read = outputs.map((output) => componentsOf(output, tell));
  const isRead = !read.includes(null);
  if (!isRead) context.lookups.noteUnreadable();
  const members = read.flatMap((found) => found ?? []);
  const kept = members.filter((member) => {
    inherit(member, spec);
    return context.count(sizeOf(member));
  });
  return { members: kept, isWhole: isWhole && isRead };
}

const sizeOf = (draft: Draft): number => 1 + draft.children.reduce((sum, child) => sum + sizeOf(child), 0);

interface Place {
  into: Draft;
  at: string;
  depth: number;
}

async function expandOne(
  context: BuildContext,
  spec: ComponentSpec,
  { into, at, depth }: Place,
): Promise<void> {
  context.signal.throwIfAborted();
  if (depth > MAX_DEPTH) {
    context.problems.tell(`${at}: is left out: it is deeper than ${MAX_DEPTH} levels`);
    return;
  }
  for (const key of Object.keys(spec))
    if (!KNOWN_FIELDS.has(key))
      context.problems.tell(`${at}.${key}: is left out: this server knows no such field`);
  const isLookup = spec.lookup !== undefined;
  const own = isShown(spec) ? draftOf(String(spec.name), { ...fieldsOf(spec), ...linksOf(spec) }) : null;
  if (own !== null && !context.count(1)) return;
  const { members, isWhole } = await lookUpMembers(context, spec, at);
  const group = own ?? into;
  if (!isWhole) group.isIncomplete = true;
  if (own !== null) into.children.push(own);
  else if (!isLookup) addLinks(into, linksOf(spec));
  group.children.push(...members);
  await expandAll(context, spec.components ?? [], { into: group, at: `${at}.components`, depth: depth + 1 });

  const subjects = isLookup ? members : [group];
  await setProperties(context, spec.properties ?? [], { members: subjects, at: `${at}.properties` });
  const { forEach, id } = spec;
  if (forEach !== undefined)
    await eachMember(subjects, (member) =>
      applyForEach(context, forEach, { member, at: `${at}.forEach`, depth }),
    );
  if (id !== undefined)
    await eachMember(own === null ? members : [own, ...members], (member) => setId(context, member, id));
}

/** Puts the components of a list under a draft, in their order. */
export async function expandAll(
  context: BuildContext,
  specs: readonly ComponentSpec[],
  { into, at, depth }: Place,
): Promise<void> {
  for (const [index, spec] of specs.entries())
    await expandOne(context, spec, { into, at: `${at}[${index}]`, depth });
}
