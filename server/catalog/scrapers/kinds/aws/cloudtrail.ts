/** Who did what in the account: events of CloudTrail as changes of the resources that they name. */
import type { Event } from '@aws-sdk/client-cloudtrail';
import { isRecord } from '../../../../../src/lib/is-record.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import { objectAt, textOf } from '../../health/health.ts';
import type { ScrapeContext, ScrapedChange } from '../../specs/scraped.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import type { Texts } from '../services/named-list.ts';
import { change } from '../services/scraped-parts.ts';
import type { AwsConfig } from './aws-access.ts';

export interface CloudTrailSpec {
  exclude?: Texts;
  maxAge?: string | undefined;
}

const DEFAULT_AGE_MS = 7 * 86_400_000;
/** CloudTrail answers 50 a page, twice a second. */
const MAX_PAGES = 20;
/** An assumed role's keys would work for whoever reads them. */
const SECRET = /^(sessionToken|secretAccessKey|accessKeyId|password|masterUserPassword|secretString)$/i;
const MASK = '******';

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, own]) => [key, SECRET.test(key) ? MASK : masked(own)]);
  return Object.fromEntries(entries);
}

function detailsOf(text: string | undefined): unknown {
  try {
    return masked(JSON.parse(text ?? '{}'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A change for each resource that an event names; one that names none is nobody's change. */
export function eventChanges(events: readonly Event[], exclude: Texts): ScrapedChange[] {
  const excluded = namedList(exclude);
  return events.flatMap((event) => {
    const name = event.EventName ?? '';
    if (name === '' || isNamedBy(excluded, name)) return [];
    const details = detailsOf(event.CloudTrailEvent);
    const error = textOf(objectAt(details)['errorCode']);
    return (event.Resources ?? []).flatMap(({ ResourceType: type, ResourceName: externalId }) => {
      if (type === undefined || externalId === undefined) return [];
      const found = change({
        about: { type, externalId },
        externalChangeId: `${event.EventId ?? ''}/${externalId}`,
        changeType: name,
        severity: error === '' ? 'info' : 'low',
        source: event.EventSource ?? 'cloudtrail',
        summary: error === '' ? null : `refused: ${error}`,
        details,
        createdBy: event.Username ?? null,
        createdAt: event.EventTime ?? null,
      });
      return [found];
    });
  });
}

/** The writing events of a region since the last scrape, at most `maxAge` old. */
export async function readCloudTrail(
  access: { config: AwsConfig; region: string },
  spec: CloudTrailSpec,
  context: Pick<ScrapeContext, 'now' | 'lastRun'>,
): Promise<{ changes: ScrapedChange[]; isAll: boolean }> {
  const ageMs = spec.maxAge === undefined ? DEFAULT_AGE_MS : parseDuration(spec.maxAge);
  if (ageMs === null)
    throw new AppError('invalid', `cloudtrail.maxAge: "${spec.maxAge}" is no duration such as 7d`);
  const oldest = context.now().getTime() - ageMs;
  // Events arrive up to a quarter of an hour late.
  const last = context.lastRun === null ? oldest : context.lastRun.getTime() - 30 * 60_000;
  const trail = await import('@aws-sdk/client-cloudtrail');
  const client = new trail.CloudTrailClient({ ...access.config, region: access.region });
  const events: Event[] = [];
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.send(
      new trail.LookupEventsCommand({
        StartTime: new Date(Math.max(oldest, last)),
        LookupAttributes: [{ AttributeKey: 'ReadOnly', AttributeValue: 'false' }],
        ...(token === undefined ? {} : { NextToken: token }),
      }),
    );
    events.push(...(answer.Events ?? []));
    token = answer.NextToken;
    if (token === undefined) return { changes: eventChanges(events, spec.exclude), isAll: true };
  }
  return { changes: eventChanges(events, spec.exclude), isAll: false };
}
