/** A value, or where the server finds it, as its field shows it (contract §19.9, schema §4.1). */
import { z } from 'zod';

/** Offered in the field. */
export const OFFERED = ['value', 'secretKeyRef', 'configMapKeyRef'] as const;
/** Shown where they stand: documents of other servers have them, this one does not read them. */
const FOREIGN = ['helmRef', 'serviceAccount'] as const;
export type SecretKind = (typeof OFFERED)[number] | (typeof FOREIGN)[number];

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const reference = z.object({ name: text.catch(''), key: text.catch('') });
const shape = z.union([
  text.transform((value) => ({ value })),
  z.object({
    value: text.optional(),
    valueFrom: z
      .object({
        secretKeyRef: reference.optional(),
        configMapKeyRef: reference.optional(),
        helmRef: reference.optional(),
        serviceAccount: text.optional(),
      })
      .optional(),
  }),
]);

export interface ShownSecret {
  kind: SecretKind;
  value: string;
  name: string;
  key: string;
}

/** What the server shows of a value that it keeps; sent back, it stays as it is. */
export const SECRET_STARS = '***';

/** Where a secret is found, written as a text: it is none itself. */
export const isReference = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:secret|configmap):\/\//.test(value);

/** What stands there. */
export function shownSecret(value: unknown): ShownSecret {
  const nothing: ShownSecret = { kind: 'value', value: '', name: '', key: '' };
  const read = shape.safeParse(value);
  if (!read.success) return nothing;
  const from = 'valueFrom' in read.data ? read.data.valueFrom : undefined;
  for (const kind of ['secretKeyRef', 'configMapKeyRef', 'helmRef'] as const) {
    const found = from?.[kind];
    if (found !== undefined) return { ...nothing, kind, ...found };
  }
  if (from?.serviceAccount !== undefined)
    return { ...nothing, kind: 'serviceAccount', name: from.serviceAccount };
  return { ...nothing, value: read.data.value ?? '' };
}

/** What is written for it; undefined for nothing. */
export function writtenSecret({ kind, value, name, key }: ShownSecret): unknown {
  if (kind === 'value') return value === '' ? undefined : { value };
  if (kind === 'serviceAccount') return name === '' ? undefined : { valueFrom: { serviceAccount: name } };
  return name === '' && key === '' ? undefined : { valueFrom: { [kind]: { name, key } } };
}
