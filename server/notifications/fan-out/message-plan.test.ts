/** Which message a thing becomes part of. */
import { expect, it } from 'vitest';
import { MessagePlanner } from './message-plan.ts';

const MINUTE_MS = 60_000;
const RULE = {
  id: 'r',
  name: 'r',
  title: null,
  template: null,
  events: ['incident.created'],
  filter: null,
  properties: null,
  person_id: 'p',
  team_id: null,
  repeat_interval: null,
  wait_for: null,
  group_by: null,
  custom_services: null,
  team_services: null,
  has_browser: true,
  reach: null,
};

it('what quiet hours hold keeps nothing with it that may go now', () => {
  const none = { open: [], counts: new Map(), changes: new Map(), down: new Map() };
  let made = 0;
  const planner = new MessagePlanner({ nowMs: 0, ...none }, () => `d${(made += 1)}`);
  const place = (at: number, heldMs: number | null) =>
    planner.place({
      event: { id: String(at), name: 'incident.created', about: {}, created_at: '' },
      subject: { id: `i${at}`, env: {}, above: [] },
      rule: RULE,
      recipient: 'push/p',
      heldMs,
    });
  const untilMs = 8 * 60 * MINUTE_MS;
  place(0, untilMs);
  for (let at = 1; at <= 7; at += 1) place(at, null);
  place(8, untilMs);
  const { deliveries } = planner.planned();
  expect(deliveries.map(({ kind }) => kind)).toEqual([
    'digest',
    ...Array<string>(5).fill('single'),
    'digest',
  ]);
  const due = deliveries.map(({ dueAt }) => dueAt.getTime());
  expect(due[0]).toBe(untilMs);
  expect(Math.max(...due.slice(1))).toBeLessThan(MINUTE_MS);
});
