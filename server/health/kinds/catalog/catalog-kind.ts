/** catalog: items of this server's own catalog, chosen by selectors, for scripts to judge (schema §4.1, §5.1). */
import { z } from 'zod';
import { selector } from '../../../../src/contract/specs/spec-parts.ts';
import { readSelector } from '../../../../src/domain/selector/resource-selector.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common } from '../../kind/spec-fields.ts';
import { isRecord } from '../../../../src/lib/is-record.ts';

/** Names may be numbers in YAML; items are found by texts. Nothing is cached, so that every wish of `cache` is met. */
function asTexts({ type, cache: _cache, ...value }: z.output<typeof strictSelector>) {
  return {
    ...value,
    name: value.name === undefined ? undefined : String(value.name),
    types: [...(value.types ?? []), ...(type === undefined ? [] : [type])].map(String),
    statuses: value.statuses?.map(String),
  };
}

const strictSelector = z.strictObject(selector.shape);
const catalogSelector = strictSelector
  .refine(
    (value) => readSelector(asTexts(value)).kind !== 'nothing',
    'names nothing: give types, a name or another part',
  )
  .superRefine((value, context) => {
    const read = readSelector(asTexts(value));
    if (read.kind === 'unreadable')
      context.addIssue({ code: 'custom', path: [read.field], message: `"${read.part}" is not a selector` });
  });

const catalogSchema = z.strictObject({
  ...common,
  selector: z.array(catalogSelector).min(1, 'is required'),
});
type CatalogSpec = z.output<typeof catalogSchema>;

/** How many items a stored result names. */
const SHOWN_ITEMS = 200;

const shown = (item: unknown) =>
  isRecord(item) ? { id: item['id'], name: item['name'], type: item['type'], health: item['health'] } : item;

function run(spec: CatalogSpec, context: KindContext): Promise<KindResult> {
  return probe({}, context, async (at) => {
    const results = await at.catalog(spec.selector.map(asTexts));
    const isEmpty = results.length === 0 && spec.test === undefined;
    return {
      data: { results },
      detail: results.slice(0, SHOWN_ITEMS).map(shown),
      error: isEmpty ? 'no item of the catalog is meant by the selector' : null,
    };
  });
}

/** What is in the catalog. */
export const catalogKind = registeredKind({
  key: 'catalog',
  title: 'Catalog items',
  needs: 'nothing',
  testedAgainst: 'real service',
  example: {
    name: 'ingress classes',
    selector: [{ types: ['Kubernetes::IngressClass'] }],
    test: { expr: 'size(results) > 0' },
  },
  schema: catalogSchema,
  run,
});
