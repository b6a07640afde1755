/** A settings resource's form as its row, and back (contract §14.1). */
import { z } from 'zod';
import type { SettingsRow } from '../../../contract/http/table-views.ts';
import { RESOURCES, type ResourceFacts, type ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { agentOf } from '../../../domain/settings/resource-source.ts';
import { labelPairs, labelsOf, repeatedLabel } from '../../../ui/form/labels.ts';
import { parseYamlObject } from '../../../ui/code/yaml-lint.ts';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import { messages } from './messages.ts';

const words = messages.form;

export const resourceSchema = z.object({
  name: z.string().trim().min(1, words.required),
  icon: z.string(),
  namespace: z.string(),
  /** The agent that runs it; empty for this server. */
  agent: z.string(),
  labels: z.array(z.object({ key: z.string(), value: z.string() })).superRefine((pairs, context) => {
    const repeated = repeatedLabel(pairs);
    if (repeated !== null) context.addIssue({ code: 'custom', message: words.repeated(repeated) });
  }),
  /** Of a document that was pasted; the form does not show them. */
  annotations: z.record(z.string(), z.string()).nullish(),
  spec: z.string().superRefine((text, context) => {
    const parsed = parseYamlObject(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
  }),
});
export type ResourceValues = z.input<typeof resourceSchema>;

const DEFAULT_NAMESPACE = 'default';
/** Of what is made here (contract §14.1). */
export const OWN_SOURCE = 'UI';
/** Offered for calls of http checks (spec 2 §5). */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** Offered for what http checks expect (spec 2 §5); any other may be typed. */
export const RESPONSE_CODES = ['200', '201', '202', '204', '301', '302', '401', '404', '500', '502', '503'];

function specText(spec: unknown): string {
  if (spec === undefined || spec === null) return '';
  return typeof spec === 'string' ? spec : yamlText(spec);
}

/** What the form starts with; a new one with its kind's example. */
export function resourceValues(row: SettingsRow | null, kind: ResourceKind): ResourceValues {
  const spec = row?.['spec'];
  const icon = row?.['icon'];
  return {
    name: row?.name ?? '',
    icon: typeof icon === 'string' ? icon : '',
    namespace: row?.namespace ?? DEFAULT_NAMESPACE,
    agent: row === null ? '' : (agentOf(row) ?? ''),
    labels: labelPairs(row?.labels),
    spec: specText(row === null ? (messages.examples[kind] ?? null) : spec),
  };
}

function own(facts: ResourceFacts, values: ResourceValues): Record<string, unknown> {
  const parsed = parseYamlObject(values.spec);
  const { annotations } = values;
  return {
    spec: parsed.ok ? parsed.value : {},
    ...(facts.hasIcon ? { icon: values.icon.trim() } : {}),
    ...(facts.hasLabels ? { labels: labelsOf(values.labels) } : {}),
    ...(facts.hasAnnotations && annotations !== null && annotations !== undefined ? { annotations } : {}),
  };
}

/** A new row: of this user, made here. */
export function newColumns(
  kind: ResourceKind,
  values: ResourceValues,
  userId: string,
): Record<string, unknown> {
  const facts = RESOURCES[kind];
  return {
    ...own(facts, values),
    name: values.name.trim(),
    ...(facts.hasNamespace ? { namespace: values.namespace.trim() || DEFAULT_NAMESPACE } : {}),
    ...(facts.hasAgent && values.agent !== '' ? { agent_id: values.agent } : {}),
    source: OWN_SOURCE,
    created_by: userId,
  };
}

/** What an edit changes; name and namespace stay (spec 2 §5), and so does who runs it. */
export function changedColumns(kind: ResourceKind, values: ResourceValues): Record<string, unknown> {
  return own(RESOURCES[kind], values);
}
