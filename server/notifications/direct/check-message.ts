/** Whether somebody is still to be told, with the facts of this moment, what it says then, and who may have it. */
import { may } from '../../../src/domain/access/matrix.ts';
import { mayAct } from '../../../src/domain/access/objects.ts';
import { links } from '../../../src/domain/links.ts';
import { mentionedIds, plainMentions } from '../../../src/domain/incident/mentions.ts';
import type { PushMessage } from '../../../src/contract/push.ts';
import { MESSAGES } from './messages.ts';
import type { DueMessage } from './direct-query.ts';

/** Later than this nobody waits for it; the inbox has it. */
const MAX_AGE_MS = 24 * 3_600_000;
const TITLE_CHARS = 120;
const EXCERPT_CHARS = 160;

export interface Told {
  message: PushMessage;
  /** Whether who has these roles may be told. */
  isFor: (roles: readonly string[]) => boolean;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

function bodyOf({ kind, who, team, comment }: DueMessage): string {
  const name = who ?? MESSAGES.somebody;
  if (kind === 'mention') {
    const text = plainMentions(comment ?? '').replaceAll(/\s+/g, ' ');
    return MESSAGES.mentioned(name, cut(text, EXCERPT_CHARS));
  }
  return team === null ? MESSAGES.called(name) : MESSAGES.calledTeam(name, team);
}

/** A run that waits for this person; approving asks again with what would run against what. */
function approvalOf({ run, who, created_at: at }: DueMessage): Told | null {
  if (run === null || !run.is_asked) return null;
  const message: PushMessage = {
    v: 1,
    title: cut(MESSAGES.approvalTitle(run.playbook), TITLE_CHARS),
    body: cut(MESSAGES.approvalBody(who ?? MESSAGES.trigger, run.resource), EXCERPT_CHARS),
    url: links.playbookRun(run.id),
    tag: `run-${run.id}`,
    at,
    approveUrl: links.approvePlaybookRun(run.id),
  };
  return { message, isFor: (roles) => mayAct(roles, 'playbooks', 'approve') };
}

/** Null when there is nothing to tell any more. */
export function judgeMessage(due: DueMessage, nowMs: number): Told | null {
  if (nowMs - Date.parse(due.created_at) > MAX_AGE_MS) return null;
  if (due.kind === 'approval') return approvalOf(due);
  const isMentioned = due.kind !== 'mention' || mentionsPerson(due);
  const isWanted = due.closed === null && !due.is_removed && !due.is_read && isMentioned;
  if (!isWanted || due.incident_id === null) return null;
  const url =
    due.comment_id === null
      ? links.incident(due.incident_id)
      : links.incidentComment(due.incident_id, due.comment_id);
  const message: PushMessage = {
    v: 1,
    title: cut(`${due.number ?? ''} ${due.title ?? ''}`.trim(), TITLE_CHARS),
    body: bodyOf(due),
    url,
    tag: `incident-${due.incident_id}`,
    at: due.created_at,
  };
  return { message, isFor: (roles) => may(roles, 'incident', 'read') };
}

/** The comment may have been changed since. */
function mentionsPerson({ comment, person_id: personId }: DueMessage): boolean {
  return mentionedIds(comment ?? '').some((id) => id.toLowerCase() === personId);
}
