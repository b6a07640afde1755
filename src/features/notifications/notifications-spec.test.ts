/** The pages of notifications, line by line as the specification has them (spec 2 §2–§5, §8; contract §9, §19.7, §19.8, §19.11). */
import { describe, expect, it } from 'vitest';
import {
  repeatIntervalMs,
  REPEAT_INTERVALS,
  RULE_EVENTS,
} from '../../domain/notification/notification-rule.ts';
import { NOTIFICATION_CONNECTIONS } from '../../domain/settings/notification-connections.ts';
import { PAGE_SIZES } from '../../ui/tables/table-state.ts';
import { messages as history } from './history/messages.ts';
import { statusFilter } from './history/use-history.ts';
import { messages as shared } from './messages.ts';
import { messages as rules } from './rules/messages.ts';
import { RULE_COLUMNS } from './rules/rule-columns.tsx';
import { ruleColumns, ruleSchema, ruleValues } from './rules/rule-form.ts';
import { addSilenceSearch, historySearch } from './search-schemas.ts';
import { messages as silences } from './silences/messages.ts';
import { tableColumns } from './silences/silence-columns.tsx';
import { LENGTHS, newValues, timesOf } from './silences/silence-form.ts';

const EVENTS =
  `check.failed check.passed component.healthy component.unhealthy component.unknown component.warning
  config.created config.deleted config.healthy config.unhealthy config.unknown config.updated config.warning
  playbook.approval.inserted playbook.spec.approval.updated`.split(/\s+/);
const HOUR_MS = 3_600_000;

describe('the send history', () => {
  it.each([
    ['sent', 'Sent'],
    ['error', 'Error'],
    ['pending', 'Pending'],
    ['cancelled', 'Cancelled'],
    ['repeat-interval', 'Repeated'],
    ['silenced', 'Silenced'],
  ])('says %s as %s', (status, word) => expect(shared.statuses[status]).toBe(word));

  it('has its columns, filters and dialog in the address', () => {
    expect(Object.values(history.columns)).toEqual(
      expect.arrayContaining(['Age', 'Resource', 'Status', 'Event']),
    );
    const asked = { status: 'sent:1,error:-1', resource_type: 'check:1', id: 'n1' };
    expect(Object.keys(historySearch.parse(asked)).toSorted()).toEqual(['id', 'resource_type', 'status']);
    for (const kind of ['canary', 'check', 'component', 'config']) expect(shared.kinds[kind]).toBeDefined();
  });

  it('finds what is being sent with what is pending', () => {
    expect(statusFilter({ pending: 1, sent: -1 })).toEqual({ pending: 1, sending: 1, sent: -1 });
    expect(statusFilter({ pending: -1 })).toEqual({ pending: -1, sending: -1 });
    expect(statusFilter({ sent: 1 })).toEqual({ sent: 1 });
  });

  it.each([
    'resource',
    'event',
    'created',
    'count',
    'first',
    'duration',
    'person',
    'rule',
    'body',
    'error',
  ] as const)('shows %s of one', (field) => expect(history.detail[field]).not.toBe(''));
});

describe('rules', () => {
  it('have the columns in their order, and who is told', () => {
    const headers = RULE_COLUMNS.map(({ header }) => header).filter((header) => header !== 'Recipient');
    expect(headers).toEqual([
      'Events',
      'Title',
      'Filter',
      'Pending',
      'Failed',
      'Sent',
      'Avg Duration',
      'Repeat Interval',
      'Created At',
      'Updated At',
      'Created By',
    ]);
    expect([...PAGE_SIZES]).toEqual([50, 100, 200]);
  });

  it.each(EVENTS)('may wait for %s', (event) => expect(RULE_EVENTS).toContain(event));

  it('offer the intervals, a month as 1m', () => {
    expect(REPEAT_INTERVALS).toEqual(['1h', '2h', '3h', '6h', '1d', '1w', '1m']);
    const hours = REPEAT_INTERVALS.map((text) => (repeatIntervalMs(text) ?? 0) / HOUR_MS);
    expect(hours).toEqual([1, 2, 3, 6, 24, 168, 720]);
  });

  it('keep exactly one kind of recipient, whatever was filled in before', () => {
    const filled = {
      ...ruleValues(null),
      events: ['check.failed'],
      person_id: 'p',
      team_id: 't',
      connection: 'c',
    };
    const kept = (['person', 'team', 'service'] as const).map((recipient) =>
      ruleColumns({ ...filled, recipient }, null),
    );
    const none = { person_id: null, team_id: null, custom_services: null };
    expect(kept).toEqual([
      expect.objectContaining({ ...none, person_id: 'p' }),
      expect.objectContaining({ ...none, team_id: 't' }),
      expect.objectContaining({ ...none, custom_services: [{ connection: 'c' }] }),
    ]);
    expect(Object.values(rules.form.recipients)).toEqual(['Person', 'Team', 'Others']);
  });

  it('need events, and no template', () => {
    const problems = (events: string[]) =>
      ruleSchema(null)
        .safeParse({ ...ruleValues(null), events, person_id: 'p' })
        .error?.issues.map(({ path }) => path.join('.'));
    expect(problems([])).toContain('events');
    expect(problems(['check.failed']) ?? []).not.toContain('template');
  });

  it('say that they were saved', () => {
    expect(rules.updated).toBe('Notification updated successfully');
    expect([rules.form.save, rules.form.saving, rules.form.update, rules.form.updating]).toEqual([
      'Save',
      'Saving …',
      'Update',
      'Updating …',
    ]);
  });
});

describe('silences', () => {
  it('have the columns in their order, with what the resource is doing now; Delete only for who may', () => {
    const headers = (isEditor: boolean) =>
      tableColumns(isEditor ? () => {} : null)
        .map(({ header }) => header)
        .filter((header) => header !== silences.columns.phase);
    const all = ['Resource', 'Duration', 'Source', 'Reason', 'Created By', 'Delete'];
    expect(headers(true)).toEqual(all);
    expect(headers(false)).toEqual(all.slice(0, -1));
  });

  it.each(['config_id', 'component_id', 'check_id', 'canary_id'])('begin with %s of the address', (name) =>
    expect(addSilenceSearch.parse({ [name]: 'x' })).toEqual({ [name]: 'x' }),
  );
});

describe('a silence', () => {
  it('lasts as long as one of the steps of the contract, each later than the one before', () => {
    const lengths = '5m 15m 30m 1h 3h 6h 12h 24h 2d 7d 30d 90d 6M 1y 2y 5y'.split(' ');
    expect([...LENGTHS]).toEqual(lengths);
    expect(Object.keys(silences.lengths)).toEqual(lengths);
    const now = Date.parse('2026-03-01T12:00:00Z');
    const ends = LENGTHS.map((length) => timesOf({ ...newValues({}), length }, now).untilMs ?? 0);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(ends[0]).toBeGreaterThan(now);
  });

  it('is asked about before it is deleted', () => {
    expect(silences.deletion.title).toBe('Delete Notification Silence');
    expect(silences.deletion.question).toContain(
      'Are you sure you want to delete this notification silence?',
    );
  });
});

describe('connections that notifications go through', () => {
  it.each([
    ['discord', 'username* password*'],
    ['email', 'properties.from* properties.fromName*'],
    ['google_chat', 'username* password* properties.webhook*'],
    ['ifttt', 'username*'],
    ['mattermost', 'password*'],
    ['matrix', 'password*'],
    ['ntfy', 'properties.host* properties.topic*'],
    ['opsgenie', 'password*'],
    ['pushbullet', 'password* properties.targets*'],
    ['pushover', 'username* password*'],
    ['rocketchat', 'username* password*'],
    ['slack', 'username* password*'],
    ['teams', 'properties.tenant* properties.altID* properties.groupOwner*'],
    ['telegram', 'username* password*'],
    ['zulip_chat', 'password*'],
    ['generic_webhook', 'properties.url* properties.requestMethod* properties.key* properties.titleKey*'],
  ])('%s has a form that needs %s', (type, needed) => {
    const form = NOTIFICATION_CONNECTIONS.find((one) => one.type === type);
    const required =
      form?.fields.filter(({ isRequired }) => isRequired === true).map(({ at }) => `${at}*`) ?? [];
    expect(required).toEqual(expect.arrayContaining(needed.split(' ')));
  });
});
