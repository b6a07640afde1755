/** What a message says: about one thing, about what is down with what is below it, or a list of what came together. */
import { defaultBody, defaultTitle, listBody } from '../../../src/domain/notification/default-message.ts';
import type { AcknowledgedKind } from '../../../src/domain/notification/acknowledgement.ts';
import { isKnownByAcknowledging, isStillSo } from '../../../src/domain/notification/notification-rule.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { OutgoingNotification } from '../senders/sender.ts';
import { environmentOf, renderTemplate } from '../rules/rule-environment.ts';
import type { RuleRow } from '../rules/rule-query.ts';
import {
  acknowledgedSubject,
  currentHealth,
  factsOf,
  linkPath,
  silencePath,
  subjectKindOf,
} from '../rules/subject.ts';
import type { SubjectRow } from '../rules/subject-query.ts';
import type { DeliveryKind, MemberRow } from './delivery-query.ts';
import { MESSAGES } from './messages.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

export interface Text extends Required<Pick<OutgoingNotification, 'title' | 'body' | 'links'>> {
  /** What can be acknowledged by it; null where it is about several things, or nothing of that kind. */
  about: { kind: AcknowledgedKind; id: string } | null;
}

export interface TextDeps {
  expressions: Pick<Expressions, 'evaluate'>;
  publicUrl: () => string;
}

export interface Member extends MemberRow {
  /** Null when what it is about is gone. */
  subject: SubjectRow | null;
}

/** Whether the rule waits before it tells. */
export const isWaiting = ({ wait_for: waits }: RuleRow): boolean => waits !== null && waits > 0;

/** Whether what the rule waited for is still so. */
export function stillSo({ subject, source_event: event }: Member, rule: RuleRow): boolean {
  const { events } = rule;
  if (!isWaiting(rule)) return true;
  return isStillSo(event, subject === null ? null : currentHealth(event, subject.env), events);
}

interface Asked {
  rule: RuleRow;
  members: readonly Member[];
  kind: DeliveryKind;
  channel: string;
}

const titleOf = (member: Member) => member.title ?? member.source_event;

/** The one that is above the others; else the first. */
function mainOf(members: readonly Member[]): Member | undefined {
  const ids = new Set(members.map(({ resource_id: id }) => id));
  return members.find(({ subject }) => !(subject?.above ?? []).some((id) => ids.has(id))) ?? members[0];
}

function linksOf(member: Member, publicUrl: string): Text['links'] {
  const { subject, source_event: event } = member;
  if (subject === null) return [];
  const base = trimEnd(publicUrl, '/');
  const silence = silencePath(event, subject.id);
  const open = { label: MESSAGES.open, url: `${base}${linkPath(event, subject.id, subject.env)}` };
  return silence === null ? [open] : [open, { label: MESSAGES.silence, url: `${base}${silence}` }];
}

/** As the rule writes it, else as usual; a template that fails is said, and hides nothing. */
async function ownText(
  { rule, channel }: Asked,
  member: Member,
  deps: TextDeps,
): Promise<{ title: string; body: string }> {
  const { subject, source_event: event } = member;
  const usual = {
    title: subject === null ? titleOf(member) : defaultTitle(factsOf(event, subject.env)),
    body: subject === null ? '' : defaultBody(factsOf(event, subject.env)),
  };
  // A rule's own words are about what it waits for.
  if (subject === null || subjectKindOf(event) === 'monitor') return usual;
  const variables = environmentOf({ event, subject, publicUrl: deps.publicUrl(), channel });
  const render = async (template: string | null, fallback: string): Promise<[string, string | null]> => {
    if (template === null || template.trim() === '') return [fallback, null];
    try {
      return [await renderTemplate(deps.expressions, template, variables), null];
    } catch (error) {
      return [fallback, MESSAGES.templateFailed(error instanceof Error ? error.message : String(error))];
    }
  };
  const [title, badTitle] = await render(rule.title, usual.title);
  const [body, badBody] = await render(rule.template, usual.body);
  const problems = [badTitle, badBody].filter((problem) => problem !== null);
  return {
    title: title.trim() === '' ? usual.title : title.trim(),
    body: [member.reason ?? '', body, ...problems].filter((part) => part !== '').join('\n\n'),
  };
}

function aboutOf({ subject, source_event: event }: Member): Text['about'] {
  return subject === null || !isKnownByAcknowledging(event) ? null : acknowledgedSubject(event, subject);
}

/** How many of which event. */
function countsOf(members: readonly Member[]): string {
  const counts = new Map<string, number>();
  for (const { source_event: event } of members) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].map(([event, count]) => `${count} × ${event}`).join(', ');
}

/** The text of a message; null when there is nothing to tell. */
export async function textOf(asked: Asked, deps: TextDeps): Promise<Text | null> {
  const { members, kind } = asked;
  const [first] = members;
  const main = kind === 'single' ? mainOf(members) : members.length === 1 ? first : undefined;
  const flapping = members
    .filter(({ reason }) => reason !== null)
    .map((member) => `${titleOf(member)}: ${member.reason}`);
  if (first === undefined) return null;
  if (main === undefined) {
    const body = [listBody(members.map(titleOf)), [...new Set(flapping)].slice(0, 5).join('\n')];
    const url = `${trimEnd(deps.publicUrl(), '/')}/notifications`;
    return {
      title: MESSAGES.several(members.length, countsOf(members)),
      body: body.filter((part) => part !== '').join('\n\n'),
      links: [{ label: MESSAGES.openHistory, url }],
      about: null,
    };
  }
  const { title, body } = await ownText(asked, main, deps);
  const links = linksOf(main, deps.publicUrl());
  const about = aboutOf(main);
  const others = members.filter((member) => member !== main);
  if (others.length === 0) return { title, body, links, about };
  const list = `${MESSAGES.below(others.length)}\n${listBody(others.map(titleOf))}`;
  return {
    title: MESSAGES.withBelow(title, others.length),
    body: [body, list].filter((part) => part !== '').join('\n\n'),
    links,
    about,
  };
}
