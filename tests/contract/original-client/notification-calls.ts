/** For tests only: contract §9, what the original client's pages of notifications ask. */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import { A, CHECK, CONFIG, NOBODY, NOTIFICATION, PERSON, SENT, SILENCE, TEAM } from './ids.ts';

const firstOf = (json: readonly unknown[], expected: object) => expect(json[0]).toMatchObject(expected);

/** As its form has it: everything, whether it changed or not. */
const RULE = {
  id: NOTIFICATION,
  title: 'Node is down',
  events: ['config.unhealthy', 'check.failed'],
  filter: '',
  person_id: PERSON,
  team_id: null,
  custom_services: null,
  repeat_interval: '2h',
  template: 'The body',
  properties: { priority: 'high' },
  source: 'UI',
};
const SILENCED = {
  id: SILENCE,
  updated_at: 'now()',
  source: 'UI',
  canary_id: null,
  check_id: null,
  component_id: null,
  config_id: CONFIG,
  from: '2026-01-01T00:00:00Z',
  until: '2036-01-01T00:00:00Z',
  description: 'for years',
  recursive: true,
  namespace: '',
};

const HISTORY_CALLS: Call[] = [
  {
    section: '9',
    name: 'the send history',
    path: '/api/db/notification_send_history_summary?select=*&order=created_at.desc&limit=50&offset=0&resource_type.filter=config,!check&status.filter=!error',
    isCounted: true,
    columns: 'id resource_type resource',
  },
  {
    section: '9',
    name: 'the send history, unfiltered, a page of it',
    path: '/api/db/notification_send_history_summary?select=*&order=created_at.desc&limit=50&offset=0',
    isCounted: true,
  },
  {
    section: '9',
    name: 'one notification',
    path: `/api/db/notification_send_history_summary?id=eq.${SENT}&select=*`,
    columns:
      'id notification_id body status count first_observed source_event resource_id person_id error duration_millis created_at resource_type resource',
    atLeast: 1,
    check: (json: object[]) =>
      firstOf(json, { status: 'error', resource_type: 'check', resource: { id: CHECK } }),
  },
];

const RULE_CALLS: Call[] = [
  {
    section: '9',
    name: 'the rules',
    path: `/api/db/notifications_summary?select=*,person:person_id(${A}),team:team_id(id,name,icon),created_by(${A})&order=created_at.desc&limit=50&offset=0`,
    isCounted: true,
    columns: 'id title events person team created_by pending failed sent',
    atLeast: 1,
  },
  {
    section: '9',
    name: 'a rule',
    path: `/api/db/notifications?id=eq.${NOTIFICATION}&select=*,person:person_id(${A}),team:team_id(id,name,icon),created_by(${A})`,
    check: (json: object[]) => firstOf(json, { person: { id: PERSON }, template: 'The body' }),
  },
  {
    section: '9',
    name: 'the rules in another order, as the settings ask',
    path: `/api/db/notifications_summary?select=*,person:person_id(${A}),team:team_id(id,name,icon),created_by(${A})&order=sent.asc&limit=50&offset=0`,
    isCounted: true,
    columns:
      'id namespace error filter team_id custom_services source repeat_interval wait_for avg_duration_ms most_common_error',
  },
  {
    section: '9',
    name: 'a rule is made',
    method: 'POST',
    path: '/api/db/notifications',
    body: { ...RULE, id: undefined, created_by: PERSON },
    status: 201,
    check: (json: object[]) => firstOf(json, { title: 'Node is down', person_id: PERSON }),
  },
  {
    section: '9',
    name: 'a rule is changed, its whole form along',
    method: 'PATCH',
    path: `/api/db/notifications?id=eq.${NOTIFICATION}`,
    body: RULE,
    check: (json: object[]) => firstOf(json, { repeat_interval: '2h', properties: { priority: 'high' } }),
  },
  {
    section: '9',
    name: 'a rule goes from its person to a team',
    method: 'PATCH',
    path: `/api/db/notifications?id=eq.${NOTIFICATION}`,
    body: { ...RULE, person_id: null, team_id: TEAM },
    check: (json: object[]) => firstOf(json, { person_id: null, team_id: TEAM, custom_services: null }),
  },
  {
    section: '9',
    name: 'a rule for nobody',
    method: 'PATCH',
    path: `/api/db/notifications?id=eq.${NOTIFICATION}`,
    body: { ...RULE, person_id: null },
    status: 400,
  },
];

const SILENCE_CALLS: Call[] = [
  {
    section: '9',
    name: 'a silence',
    method: 'POST',
    path: '/api/notification/silence',
    body: { config_id: CONFIG, from: 'now', until: 'now+2d', description: 'quiet', recursive: true },
    check: (text: string) => expect(text).toBe(''),
  },
  {
    section: '9',
    name: 'a silence without an end',
    method: 'POST',
    path: '/api/notification/silence',
    body: { config_id: CONFIG, from: 'now' },
    status: 400,
  },
  {
    section: '9',
    name: 'silences, with a trailing & [!]',
    path: `/api/db/notification_silences?select=*,checks:check_id(id,name,type,status),catalog:config_id(id,name,type,config_class),component:component_id(id,name,icon),createdBy:created_by(${A})&order=created_at.desc&limit=50&offset=0&deleted_at=is.null&`,
    isCounted: true,
    columns: 'id checks catalog component createdBy',
    atLeast: 1,
  },
  {
    section: '9',
    name: 'a silence of nothing',
    method: 'POST',
    path: '/api/notification/silence',
    body: { from: 'now', until: 'now+2d' },
    status: 400,
  },
  {
    section: '9',
    name: 'a silence that ends before it begins',
    method: 'POST',
    path: '/api/notification/silence',
    body: { check_id: CHECK, from: 'now', until: 'now-2d' },
    status: 400,
  },
  {
    section: '9',
    name: 'a silence of what is not there',
    method: 'POST',
    path: '/api/notification/silence',
    body: { check_id: NOBODY, from: 'now', until: 'now+2d' },
    status: 400,
  },
  {
    section: '9',
    name: 'silences with an order twice [!]',
    path: `/api/db/notification_silences?select=*,checks:check_id(id,name,type,status),catalog:config_id(id,name,type,config_class),component:component_id(id,name,icon),createdBy:created_by(${A})&order=created_at.desc&limit=50&offset=0&deleted_at=is.null&&order=description.asc`,
    isCounted: true,
    atLeast: 1,
  },
  {
    section: '9',
    name: 'a silence to be changed',
    path: `/api/db/notification_silences?select=*&order=created_at.desc&id=eq.${SILENCE}`,
    isCounted: true,
    columns: 'id from until description recursive namespace source',
    atLeast: 1,
  },
  {
    section: '9',
    name: 'a silence is changed',
    method: 'PATCH',
    path: `/api/db/notification_silences?id=eq.${SILENCE}`,
    body: SILENCED,
    check: (json: object[]) =>
      firstOf(json, { config_id: CONFIG, description: 'for years', recursive: true }),
  },
  {
    section: '9',
    name: 'a silence until some time from now [!]',
    method: 'PATCH',
    path: `/api/db/notification_silences?id=eq.${SILENCE}`,
    body: { ...SILENCED, until: 'now+2d' },
    status: 400,
  },
  {
    section: '9',
    name: 'a silence is taken back',
    method: 'PATCH',
    path: `/api/db/notification_silences?id=eq.${SILENCE}`,
    body: { deleted_at: 'now()' },
    columns: 'id deleted_at',
    atLeast: 1,
  },
  {
    section: '9',
    name: 'a rule is deleted',
    method: 'PATCH',
    path: `/api/db/notifications?id=eq.${NOTIFICATION}`,
    body: { deleted_at: 'now()' },
    columns: 'id deleted_at',
    atLeast: 1,
  },
];

export const NOTIFICATION_CALLS = [...HISTORY_CALLS, ...RULE_CALLS, ...SILENCE_CALLS];
