/** Events of the history in words, with what each is about (spec 3 §2 'Changelog'). */
import type { IncidentRecord } from '../../../../contract/collection-rows.ts';
import { plainMentions } from '../../../../domain/incident/mentions.ts';
import { links } from '../../../../domain/links.ts';
import type { RecordOf } from '../../use-records.ts';
import { wordFor } from '../../words.ts';
import { messages } from './changelog-messages.ts';

type HistoryRow = RecordOf<'history'>;

/** So that a pasted page of text doesn't become a line of the changelog. */
const MAX_SUBJECT = 160;

/** What happened, as the start of a line. */
export function eventText({ type, description }: Pick<HistoryRow, 'type' | 'description'>): string {
  const event = type !== null && Object.hasOwn(messages.events, type) ? messages.events[type] : undefined;
  if (event === undefined)
    return [type, description].filter((part) => part !== null && part !== '').join(': ');
  const vocabulary = type === 'hypothesis.status_updated' ? 'hypothesisStatuses' : 'statuses';
  return event(wordFor(vocabulary, description ?? '').toLowerCase());
}

export interface EventSubject {
  text: string;
  /** Where it is; null when it is nowhere any more. */
  href: string | null;
}

export interface SubjectSources {
  records: ReadonlyMap<string, IncidentRecord>;
  /** Names of people and teams by id. */
  names: ReadonlyMap<string, string>;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 1)}…` : line;
}

function textOf(record: IncidentRecord, names: SubjectSources['names']): string | null {
  switch (record.kind) {
    case 'hypothesis':
      return record.title;
    case 'evidence':
      return `${wordFor('evidenceTypes', record.type)}: ${record.description}`;
    case 'comment':
      return plainMentions(record.comment);
    case 'responder':
      return names.get(record.team_id ?? record.person_id ?? '') ?? null;
    case 'history':
    case 'read':
      return null;
  }
}

/** Every place keeps the changelog open but a responder, who stands among the details. */
function hrefOf({ kind, id, incident_id: incidentId }: IncidentRecord): string {
  const places: Readonly<Record<string, Record<string, string>>> = {
    comment: { panel: 'changelog', comment: id },
    responder: {},
  };
  const query = new URLSearchParams(places[kind] ?? { tab: 'plan', panel: 'changelog' }).toString();
  return links.incident(incidentId) + (query === '' ? '' : `?${query}`);
}

/** What an event is about: its comment, evidence, responder or hypothesis; null for the incident itself. */
export function eventSubject(row: HistoryRow, { records, names }: SubjectSources): EventSubject | null {
  const subjects = [
    ['comment', row.comment_id],
    ['evidence', row.evidence_id],
    ['responder', row.responder_id],
    ['hypothesis', row.hypothesis_id],
  ] as const;
  const [kind, id] = subjects.find(([, one]) => one !== null) ?? [null, null];
  if (kind === null || id === null) return null;
  const record = records.get(id);
  const text = record === undefined ? null : textOf(record, names);
  if (record === undefined || text === null) return { text: messages.gone[kind], href: null };
  return { text: shortened(text), href: hrefOf(record) };
}

/** Who did it; a comment from outside names its writer there. */
export function eventAuthor(row: HistoryRow, { records, names }: SubjectSources): string | null {
  const comment = row.comment_id === null ? undefined : records.get(row.comment_id);
  if (comment?.kind === 'comment' && comment.external_created_by !== null) return comment.external_created_by;
  return row.created_by === null ? null : (names.get(row.created_by) ?? null);
}
