/** Rules of notifications and what they sent, as screens read them on demand (contract §9). */
import { z } from 'zod';

const text = z.string();
const maybeText = z.string().nullish();
const count = z.coerce.number().nullish();
const names = z.array(text).nullish();
const named = z.looseObject({ id: text, name: maybeText });
const person = z.looseObject({ ...named.shape, avatar: maybeText }).nullish();

/** A rule with what it did. */
const ruleSummarySchema = z.looseObject({
  id: text,
  name: maybeText,
  title: maybeText,
  events: names,
  filter: maybeText,
  error: maybeText,
  source: maybeText,
  repeat_interval: maybeText,
  person: named.nullish(),
  team: named.nullish(),
  created_at: maybeText,
  updated_at: maybeText,
  created_by: z.union([person, text]),
  pending: count,
  failed: count,
  sent: count,
  avg_duration_ms: count,
  most_common_error: maybeText,
});
export type RuleSummary = z.output<typeof ruleSummarySchema>;

/** A rule as its form needs it. */
const ruleSchema = z.looseObject({
  id: text,
  name: maybeText,
  title: maybeText,
  events: names,
  filter: maybeText,
  error: maybeText,
  source: maybeText,
  template: maybeText,
  repeat_interval: maybeText,
  wait_for: count,
  group_by: names,
  person_id: maybeText,
  team_id: maybeText,
  custom_services: z.array(z.looseObject({})).nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  updated_at: maybeText,
  deleted_at: maybeText,
});
export type RuleRow = z.output<typeof ruleSchema>;

/** What one device of a person said of a message (schema of `push_receipts`); `device` is its user agent. */
const receiptSchema = z.looseObject({
  device: text,
  accepted_at: maybeText,
  received_at: maybeText,
  shown_at: maybeText,
  acted_at: maybeText,
  action: maybeText,
});
export type DeviceReceipt = z.output<typeof receiptSchema>;

/** What a device doesn't keep of a notification: its text, and what became of it on each device of its person. */
const sentSchema = z.looseObject({ id: text, body: maybeText, receipts: z.array(receiptSchema).nullish() });

export const NOTIFICATION_VIEWS = {
  /** Without the services: their addresses may sign in. */
  notification_rules: {
    source: {
      table: 'notifications_summary',
      select:
        'id,name,title,events,filter,error,source,repeat_interval,created_at,updated_at,pending,failed,sent,avg_duration_ms,most_common_error,' +
        'person:person_id(id,name),team:team_id(id,name),created_by(id,name,avatar)',
    },
    row: ruleSummarySchema,
    isKept: true,
    follows: ['resources', 'notification_history'] as const,
  },
  notification_rule: {
    source: { table: 'notifications', select: '*' },
    row: ruleSchema,
    isKept: false,
    follows: ['resources'] as const,
  },
  sent_notification: {
    source: { table: 'notification_send_history_summary', select: 'id,body,receipts' },
    row: sentSchema,
    isKept: true,
    follows: ['notification_history'] as const,
  },
};
