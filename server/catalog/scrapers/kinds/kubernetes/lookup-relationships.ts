/**
 * The specification's `relationships`: for each object, the kind, name and namespace of another, given, taken from
 * a label, or computed from the object. A lookup that leaves kind or name empty finds nothing; one whose
 * expression fails is told once for the whole scrape, as thousands of objects would repeat it.
 */
import { objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ScrapeContext, ScrapedRelationship } from '../../specs/scraped.ts';
import { sentenceOf } from '../services/in-parallel.ts';
import { nameOf, relatedTo } from './object-item.ts';

interface Lookup {
  value?: string | number | boolean | undefined;
  expr?: string | undefined;
  label?: string | undefined;
}
export interface RelationshipSpec {
  kind?: Lookup | undefined;
  name?: Lookup | undefined;
  namespace?: Lookup | undefined;
}

const isExpression = (lookup: Lookup | undefined): boolean => (lookup?.expr ?? '').trim() !== '';

function plainValue(lookup: Lookup, object: Json): string {
  if (lookup.value !== undefined) return String(lookup.value);
  return lookup.label === undefined ? '' : textOf(objectAt(object, 'metadata', 'labels')[lookup.label]);
}

export interface Lookups {
  of: (object: Json) => Promise<ScrapedRelationship[]>;
  errors: () => string[];
}

/** The lookups of a specification, ready for any number of objects. */
export function readLookups(
  specs: readonly RelationshipSpec[],
  setting: { clusterName: string; context: Pick<ScrapeContext, 'expressions' | 'signal'> },
): Lookups {
  const failed = new Map<RelationshipSpec, string>();
  const valueOf = async (lookup: Lookup | undefined, object: Json): Promise<string> => {
    if (lookup === undefined) return '';
    if (!isExpression(lookup)) return plainValue(lookup, object);
    // Objects leave out what they don't have; a rule may ask for it all the same.
    const variables = { metadata: {}, spec: {}, status: {}, ...object };
    const scope = { variables, durationNames: [], lastResult: null };
    const { text } = await setting.context.expressions.evaluate({ expr: lookup.expr }, scope);
    return text.trim();
  };
  const find = async (spec: RelationshipSpec, object: Json): Promise<ScrapedRelationship | null> => {
    // What costs no expression first: most objects end here.
    for (const lookup of [spec.kind, spec.name])
      if (!isExpression(lookup) && (lookup === undefined || plainValue(lookup, object) === '')) return null;
    const kind = await valueOf(spec.kind, object);
    if (kind === '') return null;
    const name = await valueOf(spec.name, object);
    if (name === '') return null;
    const own = nameOf(object);
    const namespace = spec.namespace === undefined ? own.namespace : await valueOf(spec.namespace, object);
    const isItself = kind === own.kind && name === own.name && namespace === own.namespace;
    return isItself ? null : relatedTo(setting.clusterName, { kind, name, namespace }, own.kind);
  };
  return {
    of: async (object) => {
      const found: ScrapedRelationship[] = [];
      for (const [index, spec] of specs.entries()) {
        try {
          const relationship = await find(spec, object);
          if (relationship !== null) found.push(relationship);
        } catch (error) {
          if (setting.context.signal.aborted) throw error;
          if (!failed.has(spec)) failed.set(spec, sentenceOf(`relationships[${index}]`, error));
        }
      }
      return found;
    },
    errors: () => [...failed.values()],
  };
}
