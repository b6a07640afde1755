/** One item of the catalog with all that its page shows, and one of its changes (contract §6.1). */
import { z } from 'zod';

const text = z.string();
const maybeText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const maybeNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const named = z
  .looseObject({ id: text, name: maybeText })
  .nullish()
  .transform((value) => (value === null || value === undefined ? null : { id: value.id, name: value.name }));
const map = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {});

/** A body travels as JSON text: it is only read by who writes it out, and one string is quick to pass on. */
const jsonText = z
  .unknown()
  .transform((value) => (value === null || value === undefined ? null : JSON.stringify(value)));

const propertySchema = z.looseObject({
  name: maybeText,
  label: maybeText,
  namespace: maybeText,
  text: maybeText,
  value: z.unknown().optional(),
  headline: z.boolean().nullish(),
  links: z.array(z.looseObject({ url: maybeText, label: maybeText, text: maybeText })).nullish(),
});
export type ItemProperty = z.output<typeof propertySchema>;

const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);

export const configDetailSchema = z
  .looseObject({
    id: text,
    name: maybeText,
    type: maybeText,
    config_class: maybeText,
    external_id: z
      .union([z.array(text), text])
      .nullish()
      .transform((value) => (value === null || value === undefined ? [] : [value].flat())),
    tags: map,
    labels: map,
    // A property of another form than any known costs neither the page nor the others.
    properties: z
      .unknown()
      .optional()
      .transform((value) =>
        (Array.isArray(value) ? value : []).flatMap((entry: unknown) => {
          const parsed = propertySchema.safeParse(entry);
          return parsed.success ? [parsed.data] : [];
        }),
      ),
    health: maybeText,
    status: maybeText,
    description: maybeText,
    source: maybeText,
    config: jsonText,
    config_scrapers: named,
    agent: named,
    cost_per_minute: maybeNumber,
    cost_total_1d: maybeNumber,
    cost_total_7d: maybeNumber,
    cost_total_30d: maybeNumber,
    created_at: maybeText,
    updated_at: maybeText,
    deleted_at: maybeText,
    delete_reason: maybeText,
    last_scraped_time: maybeText,
    parent_id: maybeText,
    path: maybeText,
    summary: z
      .looseObject({
        relationships: count,
        analysis: count,
        changes: count,
        playbook_runs: count,
        checks: count,
      })
      .nullish()
      .transform((value) => value ?? null),
    components: z
      .array(z.looseObject({ id: text, name: maybeText, icon: maybeText }))
      .nullish()
      .transform((value) => (value ?? []).map(({ id, name }) => ({ id, name }))),
  })
  .transform(({ ...detail }) => detail);
export type ConfigDetail = z.output<typeof configDetailSchema>;

export const changeDetailSchema = z.looseObject({
  id: text,
  config_id: text,
  change_type: maybeText,
  severity: maybeText,
  source: maybeText,
  summary: maybeText,
  created_at: maybeText,
  first_observed: maybeText,
  count: z
    .number()
    .nullish()
    .transform((value) => value ?? 1),
  external_created_by: maybeText,
  created_by: z
    .union([z.looseObject({ id: text, name: maybeText }), text])
    .nullish()
    .transform((value) =>
      typeof value === 'object' && value !== null ? (value.name ?? value.id) : (value ?? null),
    ),
  diff: maybeText,
  patches: jsonText,
  details: jsonText,
  config: z
    .looseObject({ id: text, name: maybeText, type: maybeText, config_class: maybeText })
    .nullish()
    .transform((value) => value ?? null),
});
export type ChangeDetail = z.output<typeof changeDetailSchema>;

/** The checks that are linked to an item, by id and name. */
export const linkedChecksSchema = z
  .array(
    z.looseObject({
      check_id: text,
      checks: z
        .looseObject({ id: text, name: maybeText, type: maybeText, status: maybeText })
        .nullish()
        .transform((value) => value ?? null),
    }),
  )
  .transform((rows) =>
    rows.map(({ check_id: id, checks }) => ({
      id,
      name: checks?.name ?? id,
      type: checks?.type ?? null,
      status: checks?.status ?? null,
    })),
  );
export type LinkedCheck = z.output<typeof linkedChecksSchema>[number];

/** The components that an item is linked to, and by whom. */
export const linkedComponentsSchema = z
  .array(
    z.looseObject({
      component_id: text,
      selector_id: maybeText,
      components: z.looseObject({ id: text, name: maybeText }).nullish(),
    }),
  )
  .transform((rows) =>
    rows.map(({ component_id: id, selector_id: selectorId, components }) => ({
      id,
      name: components?.name ?? null,
      isManual: selectorId === 'manual',
    })),
  );
export type LinkedComponent = z.output<typeof linkedComponentsSchema>[number];

/** The items that a component is linked to, and by whom. */
export const linkedConfigsSchema = z
  .array(z.looseObject({ config_id: text, selector_id: maybeText }))
  .transform((rows) =>
    rows.map(({ config_id: id, selector_id: selectorId }) => ({ id, isManual: selectorId === 'manual' })),
  );
