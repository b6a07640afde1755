/** What every entry of a scraper has, whatever its kind (schema §5.2), and the words that their schemas share. */
import { z } from 'zod';
import { lookup, script, text, textMap, texts } from './spec-parts.ts';

export const list = texts.optional();
export const flag = z.boolean().optional();
export const word = z.string().optional();

/** Where an item is also known, or belongs to: templates over the item, for items of a type. */
const named = z.looseObject({ type: word, filter: word, withParent: word, values: texts });

const transform = z.looseObject({
  ...script.shape,
  exclude: z.array(z.looseObject({ types: list, type: word, jsonpath: z.string() })).optional(),
  mask: z.array(z.looseObject({ selector: word, jsonpath: z.string(), value: text })).optional(),
  relationship: z
    .array(
      z.looseObject({
        filter: word,
        expr: word,
        parent: flag,
        id: lookup.optional(),
        external_id: lookup.optional(),
        type: lookup.optional(),
        name: lookup.optional(),
        namespace: lookup.optional(),
        agent: lookup.optional(),
        scope: lookup.optional(),
        labels: textMap.optional(),
      }),
    )
    .optional(),
  changes: z
    .looseObject({
      mapping: z
        .array(
          z.looseObject({
            filter: word,
            severity: word,
            type: word,
            action: z.enum(['delete', 'ignore']).optional(),
            summary: word,
          }),
        )
        .optional(),
      exclude: list,
    })
    .optional(),
  aliases: z.array(named).optional(),
  locations: z.array(named).optional(),
});

/** What every kind has: how an item is told from the document that was read. */
const base = {
  id: text.optional(),
  name: text.optional(),
  type: text.optional(),
  class: text.optional(),
  status: text.optional(),
  health: text.optional(),
  description: text.optional(),
  items: word,
  format: word,
  icon: word,
  createFields: list,
  deleteFields: list,
  timestampFormat: word,
  labels: textMap.optional(),
  tags: z
    .union([
      textMap,
      z.array(z.looseObject({ name: z.string(), value: text.optional(), jsonpath: word, label: word })),
    ])
    .optional(),
  properties: z
    .array(z.looseObject({ name: z.string(), filter: word, links: z.array(z.looseObject({})).optional() }))
    .optional(),
  aliases: list,
  locations: list,
  transform: transform.optional(),
};

/** What extraction reads of an entry, whatever its kind. */
export const scraperBaseSchema = z.looseObject(base);
export type ScraperBase = z.output<typeof scraperBaseSchema>;

/** The schema of a kind's entry: what every entry has, and these fields. */
export const kind = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject({ ...base, ...shape });
