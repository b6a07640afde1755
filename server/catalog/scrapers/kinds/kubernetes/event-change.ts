/** Events of a cluster as changes of the objects they are about (schema §5.2 event, §5.3 External changes). */
import { listOf, objectAt, textOf, timeOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ScrapedChange } from '../../specs/scraped.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import type { Texts } from '../services/named-list.ts';
import { change } from '../services/scraped-parts.ts';
import { refOf, typeOf } from './object-item.ts';
import { storedObject } from './stored-object.ts';

export interface EventSpec {
  exclusions?: { name?: Texts; namespace?: Texts; reason?: Texts } | undefined;
  severityKeywords?: { warn?: Texts; error?: Texts } | undefined;
}

const holds = (keywords: Texts, text: string): boolean =>
  (keywords ?? []).some((keyword) => text.includes(String(keyword).toLowerCase()));

function severityOf(event: Json, keywords: EventSpec['severityKeywords']): string {
  const text = `${textOf(event['reason'])} ${textOf(event['message'])}`.toLowerCase();
  if (holds(keywords?.error, text)) return 'high';
  if (holds(keywords?.warn, text) || event['type'] === 'Warning') return 'medium';
  return 'info';
}

function momentOf(event: Json): Date | null {
  const series = objectAt(event, 'series')['lastObservedTime'];
  const times = [event['lastTimestamp'], series, event['eventTime'], event['firstTimestamp']];
  const found = times.map(timeOf).find((time) => time !== null);
  return found ?? timeOf(objectAt(event, 'metadata')['creationTimestamp']);
}

/** The changes of the events after `since` that nothing excludes. */
export function eventChanges(
  events: readonly Json[],
  spec: EventSpec,
  setting: { clusterName: string; since: Date | null },
): ScrapedChange[] {
  const names = namedList(spec.exclusions?.name);
  const namespaces = namedList(spec.exclusions?.namespace);
  const reasons = namedList(spec.exclusions?.reason);
  return listOf(events).flatMap((event) => {
    const about = objectAt(event, 'involvedObject');
    const [kind, name, namespace] = [about['kind'], about['name'], about['namespace']].map(textOf);
    const reason = textOf(event['reason']);
    const createdAt = momentOf(event);
    if (kind === undefined || kind === '' || name === undefined || reason === '') return [];
    if (isNamedBy(names, name) || isNamedBy(reasons, reason)) return [];
    if (namespace !== undefined && namespace !== '' && isNamedBy(namespaces, namespace)) return [];
    if (setting.since !== null && createdAt !== null && createdAt < setting.since) return [];
    const uid = textOf(about['uid']);
    const byName = refOf(setting.clusterName, { kind, namespace: namespace ?? '', name });
    const component = textOf(objectAt(event, 'source')['component']) || textOf(event['reportingComponent']);
    const found = change({
      about: uid === '' ? byName : { type: typeOf(kind), externalId: uid },
      externalChangeId: textOf(objectAt(event, 'metadata')['uid']) || null,
      changeType: reason,
      severity: severityOf(event, spec.severityKeywords),
      source: component === '' ? 'kubernetes' : `kubernetes/${component}`,
      summary: textOf(event['message']) || null,
      details: storedObject(event),
      createdAt,
    });
    return [found];
  });
}
