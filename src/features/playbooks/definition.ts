/** What a playbook's specification says to who wants to run it, as this device has it. */
import { playbookSpecViewSchema, RESOURCE_KINDS } from '../../contract/http/playbooks/playbooks.ts';
import type { PlaybookParameter, PlaybookResourceKind } from '../../contract/http/playbooks/playbooks.ts';
import { isRecord } from '../../lib/is-record.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';

export interface Definition {
  /** Null where this device doesn't have it, or can't read it. */
  spec: Record<string, unknown> | null;
  parameters: readonly PlaybookParameter[];
  isDangerous: boolean;
  /** The selectors of what it runs on, by kind; none for one that runs on nothing. */
  targets: readonly { kind: PlaybookResourceKind; selectors: readonly Record<string, unknown>[] }[];
}

const UNKNOWN: Definition = { spec: null, parameters: [], isDangerous: false, targets: [] };

/** A specification as it came. What can't be understood in it is said to be unknown, never left out. */
export function definitionOfSpec(spec: unknown): Definition {
  const parsed = playbookSpecViewSchema.safeParse(spec);
  if (!isRecord(spec) || !parsed.success) return UNKNOWN;
  const { parameters, dangerous, ...rest } = parsed.data;
  const targets = RESOURCE_KINDS.flatMap((kind) => {
    const selectors = rest[`${kind}s`] ?? [];
    return selectors.length === 0 ? [] : [{ kind, selectors }];
  });
  return { spec, parameters: parameters ?? [], isDangerous: dangerous === true, targets };
}

/** The specification of a replicated row. */
export function definitionOf({ definition }: { definition: string | null }): Definition {
  return definition === null ? UNKNOWN : definitionOfSpec(jsonOrNull(definition));
}
