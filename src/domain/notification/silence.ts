/** Which silences cover a resource at a time (schema §7.2). Expressions are evaluated by whoever can. */
import { isInOperation, type HoursWindow } from '../incident/rule-hours.ts';
import { matchesLabels, parseLabelSelector } from '../label-selector.ts';

export interface Silence {
  id: string;
  fromMs: number;
  untilMs: number;
  isRecursive: boolean;
  configId: string | null;
  componentId: string | null;
  checkId: string | null;
  canaryId: string | null;
  /** A label selector; everything with such labels. */
  selector: string | null;
  /** CEL over the environment of rules. */
  filter: string | null;
  /** Only within these hours; all the time when there are none. */
  recurrence: readonly HoursWindow[];
}

export interface SilencedResource {
  kind: 'check' | 'config' | 'component' | 'other';
  id: string;
  canaryId: string | null;
  /** Ids of what is above it: configs, components. */
  above: readonly string[];
  labels: Readonly<Record<string, unknown>>;
}

/** From its start to its end, both included, and within its hours. */
export function isActive({ fromMs, untilMs, recurrence }: Silence, nowMs: number): boolean {
  if (nowMs < fromMs || nowMs > untilMs) return false;
  return recurrence.length === 0 || isInOperation(recurrence, nowMs);
}

function coversResource(silence: Silence, { kind, id, canaryId, above }: SilencedResource): boolean {
  const own = {
    check: silence.checkId,
    config: silence.configId,
    component: silence.componentId,
    other: null,
  };
  if (own[kind] === id) return true;
  if (kind === 'check' && silence.canaryId !== null && silence.canaryId === canaryId) return true;
  const tops = [silence.configId, silence.componentId].filter((top) => top !== null);
  return silence.isRecursive && tops.some((top) => above.includes(top));
}

const coversLabels = (selector: string, { labels }: SilencedResource): boolean => {
  const parsed = parseLabelSelector(selector);
  return parsed.ok && parsed.requirements.length > 0 && matchesLabels(parsed.requirements, labels);
};

/** Whether it names anything; one that names nothing covers nothing. */
function isAnyNamed({ configId, componentId, checkId, canaryId }: Silence): boolean {
  return [configId, componentId, checkId, canaryId].some((id) => id !== null);
}

/**
 * Whether it covers the resource, but for its expression: all that it says has to be true. `asks`: its expression
 * decides.
 */
export function coverOf(silence: Silence, resource: SilencedResource): 'no' | 'yes' | 'asks' {
  const hasSelector = (silence.selector ?? '').trim() !== '';
  const hasFilter = (silence.filter ?? '').trim() !== '';
  if (!isAnyNamed(silence) && !hasSelector && !hasFilter) return 'no';
  if (isAnyNamed(silence) && !coversResource(silence, resource)) return 'no';
  if (hasSelector && !coversLabels(silence.selector ?? '', resource)) return 'no';
  return hasFilter ? 'asks' : 'yes';
}
