/** A playbook's form as its row, and back (contract §7): what the head says stands in the specification as well. */
import { z } from 'zod';
import type { PlaybookRow } from '../../../contract/http/playbooks/playbooks.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { parseYamlObject } from '../../../ui/code/yaml-lint.ts';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import { messages } from './messages.ts';

export const HEAD_FIELDS = ['title', 'category', 'icon', 'description'] as const;
export type HeadField = (typeof HEAD_FIELDS)[number];

export const playbookFormSchema = z.object({
  title: z.string().trim().min(1, messages.required),
  category: z.string(),
  icon: z.string(),
  description: z.string(),
  spec: z.string().superRefine((text, context) => {
    if (text.trim() === '') {
      context.addIssue({ code: 'custom', message: messages.required });
      return;
    }
    const parsed = parseYamlObject(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
  }),
});
export type PlaybookValues = z.input<typeof playbookFormSchema>;

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What the form starts with; a new one with an example. */
export function playbookValues(row: PlaybookRow | null): PlaybookValues {
  if (row === null) return { title: '', category: '', icon: '', description: '', spec: messages.example };
  const spec = row.spec ?? {};
  const head = Object.fromEntries(
    HEAD_FIELDS.map((field) => [field, wordOf(row[field]) || wordOf(spec[field])]),
  ) as Record<HeadField, string>;
  return { ...head, title: head.title || wordOf(row.name), spec: yamlText(spec) };
}

/** The specification of a text: all of it, or what stands under `spec` of a whole document. */
export function specOf(text: string): Record<string, unknown> {
  const parsed = parseYamlObject(text);
  if (!parsed.ok) return {};
  const { kind, spec } = parsed.value;
  return kind === 'Playbook' && isRecord(spec) ? spec : parsed.value;
}

/** What the text says of the head, for the fields that show it. */
export function headOf(text: string): Partial<Record<HeadField, string>> {
  const spec = specOf(text);
  return Object.fromEntries(
    HEAD_FIELDS.flatMap((field) => (typeof spec[field] === 'string' ? [[field, spec[field]]] : [])),
  );
}

/** The columns that are written; what the fields of the head say goes into the specification. */
export function playbookColumns(values: PlaybookValues): Record<string, unknown> & { title: string } {
  const head = {
    title: values.title.trim(),
    category: values.category.trim(),
    icon: values.icon.trim(),
    description: values.description.trim(),
  };
  const rest = Object.fromEntries(
    Object.entries(specOf(values.spec)).filter(([name]) => !HEAD_FIELDS.some((field) => field === name)),
  );
  const said = Object.fromEntries(Object.entries(head).filter(([, value]) => value !== ''));
  return {
    ...head,
    icon: head.icon || null,
    description: head.description || null,
    source: 'UI',
    spec: { ...said, ...rest },
  };
}
