/** Parts that specifications of every kind share (schema §4.1, §5.2; contract §19.9). */
import { z } from 'zod';

/** YAML reads `on`, `1.10` and `8080` as other things than the text that was meant. */
export const text = z.union([z.string(), z.number(), z.boolean()]);
export const texts = z.array(text);
export const textMap = z.record(z.string(), text);

const keyRef = z.strictObject({ name: text, key: text });

/** A value, or where it is kept. */
export const secretValue = z.union([
  text,
  z.strictObject({
    name: text.optional(),
    value: text.optional(),
    valueFrom: z
      .strictObject({
        secretKeyRef: keyRef.optional(),
        configMapKeyRef: keyRef.optional(),
        helmRef: keyRef.optional(),
        serviceAccount: z.string().optional(),
      })
      .optional(),
  }),
]);

export const authentication = z.looseObject({
  username: secretValue.optional(),
  password: secretValue.optional(),
});

/** One of several languages; the key names it. */
export const script = z.strictObject({
  template: z.string().optional(),
  gotemplate: z.string().optional(),
  expr: z.string().optional(),
  jsonPath: z.string().optional(),
  jsonpath: z.string().optional(),
  javascript: z.string().optional(),
});

/** A value given, computed, or taken from a label. */
export const lookup = z.strictObject({
  value: text.optional(),
  expr: z.string().optional(),
  label: z.string().optional(),
});

/** Which configs, components or checks are meant (schema §5.1). */
export const selector = z
  .looseObject({
    id: z.string().optional(),
    name: text.optional(),
    namespace: z.string().optional(),
    agent: z.string().optional(),
    scope: z.string().optional(),
    types: texts.optional(),
    type: z.string().optional(),
    statuses: texts.optional(),
    health: z.string().optional(),
    labelSelector: z.string().optional(),
    tagSelector: z.string().optional(),
    fieldSelector: z.string().optional(),
    search: z.string().optional(),
    limit: z.int().optional(),
    includeDeleted: z.boolean().optional(),
    cache: z.string().optional(),
  })
  .meta({ examples: [{ name: '', namespace: '', types: [], labelSelector: '' }] });
