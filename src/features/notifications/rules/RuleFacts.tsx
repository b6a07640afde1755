/** What this device has of a rule: without its template and services, whose addresses may sign in and are not kept. */
import type { RuleSummary } from '../../../contract/http/notifications/notification-views.ts';
import { Facts } from '../../../ui/page/Page.tsx';
import { messages } from './messages.ts';
import { recipientText } from './rule-columns.tsx';
import classes from './rules.module.css';

const words = messages.form;

/** `problem`: why there is no more of it. */
export function RuleFacts({ rule, problem }: { rule: RuleSummary; problem: string }) {
  const counts = [rule.sent ?? 0, rule.failed ?? 0, rule.pending ?? 0] as const;
  const facts = [
    { name: words.title, value: rule.title ?? '' },
    { name: words.events, value: (rule.events ?? []).join(', ') },
    { name: words.recipient, value: recipientText(rule) },
    { name: words.filter, value: rule.filter ?? '' },
    { name: words.repeat, value: rule.repeat_interval ?? '' },
    { name: words.done, value: messages.counts(...counts) },
    { name: words.source, value: rule.source ?? messages.madeHere },
  ].filter(({ value }) => value !== '');
  return (
    <>
      {(rule.error ?? '') !== '' && (
        <p className={classes.broken}>
          {messages.broken} <q>{rule.error}</q>
        </p>
      )}
      <Facts facts={facts} />
      <p role="status" className={classes.note}>
        {problem} {messages.restOnServer}
      </p>
    </>
  );
}
