/** What sets a playbook off by itself (schema §7.4): which event of the queue a trigger means, and its labels. */
import { matchesList, parseMatchList } from '../match-list.ts';

export type TriggerArea = 'canary' | 'config' | 'component';

export interface EventTrigger {
  event: string;
  labels?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** CEL; all of it has to hold. */
  filter?: string | undefined;
}

export type Triggers = Readonly<Partial<Record<TriggerArea, readonly EventTrigger[] | undefined>>>;

/** What events of the queue call the area. */
const WORDS: Readonly<Record<TriggerArea, string>> = {
  canary: 'check',
  config: 'config',
  component: 'component',
};
const AREAS: readonly TriggerArea[] = ['canary', 'config', 'component'];

/** Events that a playbook may be set off by, as the queue names them. */
export const TRIGGER_EVENTS: readonly string[] = [
  'check.passed',
  'check.failed',
  ...['config', 'component'].flatMap((word) =>
    ['created', 'updated', 'changed', 'deleted', 'healthy', 'unhealthy', 'warning', 'unknown'].map(
      (event) => `${word}.${event}`,
    ),
  ),
];

/** The triggers that mean the event, with their area; none for an event of another kind. */
export function triggersFor(on: Triggers, eventName: string): { area: TriggerArea; trigger: EventTrigger }[] {
  return AREAS.flatMap((area) =>
    (on[area] ?? [])
      .filter(({ event }) => `${WORDS[area]}.${event}` === eventName)
      .map((trigger) => ({ area, trigger })),
  );
}

/** Whether every label that the trigger names fits; values are match lists (schema §5.1). */
export function hasLabels(
  wanted: EventTrigger['labels'],
  labels: Readonly<Record<string, string | null | undefined>>,
): boolean {
  return Object.entries(wanted ?? {}).every(([key, value]) => {
    const list = parseMatchList(String(value));
    const own = Object.hasOwn(labels, key) ? labels[key] : null;
    // What isn't there fits only a list of exclusions.
    if (own === null || own === undefined) return list.wanted.length === 0 && list.refused.length > 0;
    return matchesList(list, own);
  });
}
