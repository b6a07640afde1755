/** The properties of components (schema §6.3): given, looked up, read from a config item, or summed up. */
import type { PropertySpec } from '../../../src/contract/specs/topology-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { BuildContext } from './build-context.ts';
import { attributesOf, propertyValues, setProperty, viewOf, type Draft, type Property } from './draft.ts';
import { fill, hasTemplates } from './fill.ts';
import { propertyOutputs, type PropertyOutput } from './read-output.ts';
import { resourceSelectorOf } from './selectors.ts';
import { groupBy } from '../../../src/lib/group-by.ts';

const nameOf = (spec: PropertySpec) => String(spec.name ?? spec.label ?? '');

/** What expressions see of a component. */
export function variablesOf(context: BuildContext, draft: Draft): Record<string, unknown> {
  const view = viewOf(draft);
  return { ...context.variables, component: view, self: view, properties: propertyValues(draft.properties) };
}

function apply(
  outputs: readonly PropertyOutput[],
  { name, given }: { name: string; given: Record<string, unknown> },
  members: readonly Draft[],
): void {
  const named = groupBy(members, ({ name }) => name);
  const withGiven = (property: Property): Property => ({
    ...(property.name === name ? given : {}),
    ...property,
  });
  for (const output of outputs) {
    if (output.kind === 'of component') {
      const own = output.properties.map(withGiven);
      for (const member of named.get(output.component) ?? [])
        own.forEach((property) => setProperty(member, property));
      continue;
    }
    const property =
      output.kind === 'property' ? withGiven(output.property) : { ...given, ...output.attributes, name };
    for (const member of members) setProperty(member, { ...property });
  }
}

async function lookUp(
  context: BuildContext,
  spec: PropertySpec & { lookup: Record<string, unknown> },
  { members, at }: { members: readonly Draft[]; at: string },
): Promise<void> {
  const tell = (problem: string) => context.problems.tell(`${at}.lookup: ${problem}`);
  const name = nameOf(spec);
  const given = attributesOf(spec);
  const [first] = members;
  // One call for all of them; where there is one, its script may read it.
  const variables =
    members.length === 1 && first !== undefined ? variablesOf(context, first) : context.variables;
  const { outputs, isWhole } = await context.lookups.run(spec.lookup, `${at}.lookup`, variables);
  const read = outputs.map((output) => propertyOutputs(output, tell));
  for (const found of read) if (found !== null) apply(found, { name, given }, members);
  if (!isWhole || read.includes(null)) for (const member of members) member.keepsOldProperties = true;
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .filter((part) => part !== '')
    .reduce<unknown>(
      (found, part) => (isRecord(found) && Object.hasOwn(found, part) ? found[part] : undefined),
      value,
    );
}

const asAttributes = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'number') return { value };
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
};

/** The value of a config item: what its script displays, a field of it, or its name. */
async function configValue(
  context: BuildContext,
  lookup: NonNullable<PropertySpec['configLookup']>,
  draft: Draft,
): Promise<Record<string, unknown> | null> {
  const { id, config, field, display } = await fill(lookup, variablesOf(context, draft), context.expressions);
  const selector = id === undefined ? config : { id };
  if (selector === undefined) throw new Error('names no config: give id or config');
  const found = await context.findConfig(resourceSelectorOf(selector));
  if (found === null) return null;
  if (display !== undefined) {
    const variables = { ...variablesOf(context, draft), config: found.config, item: found };
    const shown = await context.expressions.evaluate(display, {
      variables,
      durationNames: [],
      lastResult: null,
    });
    return asAttributes(typeof shown.json === 'number' ? shown.json : shown.text);
  }
  if (field === undefined) return { text: found.name };
  const value = at(found.config, field) ?? at(found, field);
  if (value === undefined) throw new Error(`the item "${found.name}" has no field ${field}`);
  return asAttributes(value);
}

async function readConfig(
  context: BuildContext,
  spec: PropertySpec & { configLookup: NonNullable<PropertySpec['configLookup']> },
  { members, at: place }: { members: readonly Draft[]; at: string },
): Promise<void> {
  const { configLookup: lookup } = spec;
  const isSame = !hasTemplates(lookup) && lookup.display === undefined;
  let known: Record<string, unknown> | null | undefined;
  for (const member of members) {
    context.signal.throwIfAborted();
    try {
      const value = isSame && known !== undefined ? known : await configValue(context, lookup, member);
      known = value;
      if (value === null) context.problems.tell(`${place}.configLookup: no config item is found`);
      else setProperty(member, { ...attributesOf(spec), ...value, name: nameOf(spec) });
    } catch (error) {
      context.problems.tell(`${place}.configLookup: ${reasonOf(error)}`);
    }
  }
}

/** Sets the properties of a specification on these components. */
export async function setProperties(
  context: BuildContext,
  specs: readonly PropertySpec[],
  { members, at: place }: { members: readonly Draft[]; at: string },
): Promise<void> {
  for (const [index, spec] of specs.entries()) {
    const own = { members, at: `${place}[${index}]` };
    const { lookup, configLookup, summary } = spec;
    if (lookup !== undefined) await lookUp(context, { ...spec, lookup }, own);
    else if (configLookup !== undefined) await readConfig(context, { ...spec, configLookup }, own);
    // What is summed up is known when everything is built.
    else if (summary !== undefined)
      for (const member of members) context.summed.push({ draft: member, spec, at: own.at });
    else if (nameOf(spec) === '') context.problems.tell(`${own.at}: is left out: it has no name`);
    else for (const member of members) setProperty(member, { ...attributesOf(spec), name: nameOf(spec) });
  }
}
