import type { Check } from './check.ts';

/** Label keys are offered beside the fixed keys under this prefix, so that a label called "type" stays apart. */
const LABEL_PREFIX = 'label:';

/** What the rows are grouped by. `none` is "No Grouping"; `canary_name` is "Group Name" and the default. */
export type GroupBy = 'none' | 'canary_name' | 'name' | 'description' | 'type' | `label:${string}`;
/** What the tabs are made of. */
export type TabBy = 'namespace' | 'agent' | `label:${string}`;

export const DEFAULT_GROUP_BY: GroupBy = 'canary_name';
export const DEFAULT_TAB_BY: TabBy = 'namespace';
/** The tab before all others (spec 1 §2). */
export const ALL_TAB = 'All';

/** Shown for a check that lacks the value it is grouped or tabbed by. */
export const NO_VALUE = 'none';

const FIXED_GROUPS = new Set(['none', 'canary_name', 'name', 'description', 'type']);

/** What the list can be grouped by: a field, or any label as `label:<key>`. */
export function isGroupBy(text: string): text is GroupBy {
  return FIXED_GROUPS.has(text) || (text.startsWith(LABEL_PREFIX) && text.length > LABEL_PREFIX.length);
}

/** What the tabs can divide by. */
export function isTabBy(text: string): text is TabBy {
  return (
    text === 'namespace' ||
    text === 'agent' ||
    (text.startsWith(LABEL_PREFIX) && text.length > LABEL_PREFIX.length)
  );
}

function labelValue(check: Check, by: string): string {
  return check.labels[by.slice(LABEL_PREFIX.length)] ?? NO_VALUE;
}

/** The group a check falls into. By name it is the part before the first slash (spec 1 §2). */
export function groupKey(check: Check, by: Exclude<GroupBy, 'none'>): string {
  switch (by) {
    case 'canary_name':
      return check.canary_name || NO_VALUE;
    case 'name': {
      const slash = check.name.indexOf('/');
      return (slash > 0 ? check.name.slice(0, slash) : check.name) || NO_VALUE;
    }
    case 'description':
      return check.description || NO_VALUE;
    case 'type':
      return check.type || NO_VALUE;
    default:
      return labelValue(check, by);
  }
}

/** The tab a check falls into; the namespace tab uses `none` when the namespace is empty (spec 1 §2). */
export function tabKey(check: Check, by: TabBy): string {
  if (by === 'namespace') return check.namespace || check.canary_namespace || NO_VALUE;
  if (by === 'agent') return check.agent_name || 'local';
  return labelValue(check, by);
}

/** The text that the search box looks in: name, description, endpoint (spec 1 §2), lower-cased once per row. */
export function searchText(check: Check): string {
  return `${check.name}\n${check.description ?? ''}\n${check.endpoint ?? ''}\n${check.canary_name}`.toLowerCase();
}
