/**
 * terraform: states as items, one a file, related to what the resources in them are in the catalog (by ARN, id or self
 * link). What a state marks as sensitive, and the values of sensitive outputs, never leave this file.
 */
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { TerraformEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import { isRecord } from '../../../../../src/lib/is-record.ts';
import { listOf, objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { RawDocument, ScrapeContext, ScrapedRelationship, ScraperKind } from '../../specs/scraped.ts';
import { sentenceOf } from '../services/in-parallel.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';
import { readStates } from './state-places.ts';
import { jsonOrNull } from '../../../../../src/lib/json-or-null.ts';

const TYPE = 'Terraform::State';
const MASK = '******';
const MAX_RELATED = 500;

const stateSchema = z.looseObject({
  version: z.number(),
  terraform_version: z.string().optional(),
  serial: z.number().optional(),
  outputs: z
    .record(z.string(), z.looseObject({ sensitive: z.boolean().optional(), value: z.unknown().optional() }))
    .default({}),
  resources: z.array(z.record(z.string(), z.unknown())).default([]),
});

/** The names on the way to a sensitive value, as states write it: `[{type: get_attr, value: password}]`. */
function pathsOf(instance: Json): string[][] {
  const given = instance['sensitive_attributes'];
  if (!Array.isArray(given)) return [];
  return given.flatMap((path): string[][] => {
    const steps = Array.isArray(path) ? path : [path];
    const names = steps.flatMap((step): string[] => {
      const { value } = objectAt(step);
      const name = isRecord(value) ? value['value'] : value;
      return typeof name === 'string' || typeof name === 'number' ? [String(name)] : [];
    });
    // A path that can't be read hides everything.
    return [names.length === steps.length ? names : []];
  });
}

function maskedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return MASK;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === name ? maskedAt(one, rest) : (one as unknown)));
  if (!isRecord(value)) return MASK;
  return Object.hasOwn(value, name) ? { ...value, [name]: maskedAt(value[name], rest) } : value;
}

/** Names that are secrets although many providers forget to say so. */
const SECRET_NAME = /password|secret|private_key|token|access_key|connection_string|kubeconfig|credentials/i;

function maskedByName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedByName);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      SECRET_NAME.test(name) && (typeof one === 'string' || isRecord(one)) && one !== ''
        ? MASK
        : maskedByName(one),
    ]),
  );
}

function storedInstance(instance: Json): Json {
  const { private: _private, sensitive_attributes: _paths, ...kept } = instance;
  const attributes = pathsOf(instance).reduce<unknown>(maskedAt, kept['attributes']);
  return { ...kept, attributes: maskedByName(attributes) };
}

function relatedBy(resources: readonly Json[]): ScrapedRelationship[] {
  const ids = new Set<string>();
  for (const resource of resources.filter(({ mode }) => mode === 'managed'))
    for (const instance of listOf(resource['instances'])) {
      const { arn, self_link: link, id } = objectAt(instance, 'attributes');
      const found = [arn, link, id].map(textOf).find((one) => one.length > 3);
      if (found !== undefined) ids.add(found);
    }
  return [...ids].slice(0, MAX_RELATED).map((externalId) => ({
    to: { externalId, scope: 'all' },
    relation: 'TerraformState',
    direction: 'out',
  }));
}

function documentOf(source: string, text: string): RawDocument {
  // The text may hold secrets: no word of it is told where it is no JSON.
  const read = stateSchema.safeParse(jsonOrNull(text));
  if (!read.success || read.data.version < 4)
    throw new AppError('invalid', 'is no state of Terraform 0.12 or newer');
  const { outputs, resources, ...state } = read.data;
  const config = {
    version: state.version,
    terraform_version: state.terraform_version,
    lineage: state['lineage'],
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, one]) => [
        name,
        one.sensitive === true || SECRET_NAME.test(name) ? { ...one, value: MASK } : one,
      ]),
    ),
    resources: resources.map((one) => ({ ...one, instances: listOf(one['instances']).map(storedInstance) })),
  };
  const managed = resources.filter(({ mode }) => mode === 'managed');
  const tainted = managed
    .flatMap((one) => listOf(one['instances']))
    .filter(({ status }) => status === 'tainted');
  return jsonDocument(config, source, {
    externalIds: [source],
    type: TYPE,
    configClass: 'State',
    name: source.split('/').at(-1) ?? source,
    // A tainted resource is made anew at the next apply.
    health: tainted.length === 0 ? 'healthy' : 'warning',
    status: tainted.length === 0 ? 'Applied' : 'Tainted',
    description: `${managed.length} resources${tainted.length === 0 ? '' : `, ${tainted.length} tainted`}`,
    labels: state.terraform_version === undefined ? {} : { version: state.terraform_version },
    relationships: relatedBy(resources),
  });
}

async function scrape(entry: TerraformEntry, context: ScrapeContext) {
  const { states, errors } = await readStates(entry.state, context);
  const documents: RawDocument[] = [];
  for (const { source, text } of states) {
    try {
      documents.push(documentOf(source, text));
    } catch (error) {
      errors.push(`state: ${sentenceOf(source, error)}`);
    }
  }
  return output({ documents, errors, isComplete: errors.length === 0 });
}

/** See the head of this file. */
export const terraformKind: ScraperKind<TerraformEntry> = { kind: 'terraform', scrape };
