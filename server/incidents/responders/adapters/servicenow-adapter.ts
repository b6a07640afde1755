/**
 * ServiceNow's Table API on `incident`. The responder's id is the record's correlation id, by which it is found
 * again. Comments are entries of a journal field: writing one answers no id, so it is known by its text until it
 * was read.
 */
import { z } from 'zod';
import type {
  Adapter,
  AdapterContext,
  Call,
  News,
  OutgoingComment,
  Phase,
  Remote,
  RemoteState,
  StatusNews,
} from './adapter.ts';
import { TOLD } from './messages.ts';
import { askOutside, below, notUnderstood } from './outside-call.ts';
import type { OutsideQuestion } from './outside-call.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const TABLE = '/api/now/table/incident';
const JOURNAL = '/api/now/table/sys_journal_field';
const MOST_COMMENTS = 100;
const LONGEST_SUMMARY = 160;
/** Queries are lists joined by ^: nothing else may come in through a value. */
const SYS_ID = /^[0-9a-zA-Z-]{1,64}$/;

const record = z.looseObject({ sys_id: z.string().min(1), number: z.string().nullish() });
const one = z.looseObject({ result: record });
const many = z.looseObject({ result: z.array(record) });
const shown = z.looseObject({ value: z.coerce.string(), display_value: z.string().nullish() });
const stateOf = z.looseObject({ result: z.looseObject({ state: shown }) });
const journal = z.looseObject({
  result: z.array(
    z.looseObject({ sys_id: z.string(), value: z.string().nullish(), sys_created_by: z.string().nullish() }),
  ),
});

/** Numbers of the states as delivered; the team's `statuses` come first. */
const STATES = lookupTable<string>({
  new: '1',
  open: '1',
  investigating: '2',
  mitigated: '2',
  resolved: '6',
  closed: '7',
  cancelled: '8',
});
const PHASES = lookupTable<Phase>({
  '1': 'created',
  '2': 'acknowledged',
  '3': 'acknowledged',
  '6': 'resolved',
  '7': 'closed',
  '8': 'closed',
});
const URGENCY = lookupTable<string>({
  critical: '1',
  blocker: '1',
  high: '2',
  medium: '2',
});

function closing({ incident, fields }: Call, state: string): Record<string, string> {
  if (state !== STATES['resolved'] && state !== STATES['closed']) return {};
  return {
    close_code: fields['close_code'] ?? 'Solved (Permanently)',
    close_notes: TOLD.closeNotes(incident),
  };
}

/** A work note that is found again: one call writes it and the state, so either both arrived or neither. */
const marked = (text: string, { id }: News): string => `${text} (holdfast-${id})`;

class ServiceNowAdapter implements Adapter {
  readonly options = null;
  private readonly context: AdapterContext;

  constructor(context: AdapterContext) {
    this.context = context;
  }

  async find({ responderId }: Call): Promise<Remote | null> {
    const url = this.at(TABLE);
    url.searchParams.set('sysparm_query', `correlation_id=${responderId}`);
    url.searchParams.set('sysparm_fields', 'sys_id,number');
    url.searchParams.set('sysparm_limit', '1');
    const [first] = (await this.ask(many, { url })).result;
    return first === undefined ? null : this.remote(first);
  }

  async create({ responderId, fields, incident }: Call): Promise<Remote> {
    const body = {
      short_description: (fields['description'] || TOLD.summary(incident)).slice(0, LONGEST_SUMMARY),
      description: TOLD.description(fields['body'] || incident.description, incident),
      correlation_id: responderId,
      correlation_display: 'Holdfast',
      urgency: URGENCY[incident.severity.toLowerCase()] ?? '3',
      ...(fields['category'] === undefined ? {} : { category: fields['category'] }),
    };
    return this.remote((await this.ask(one, { method: 'POST', url: this.at(TABLE), body })).result);
  }

  async addComment(_call: Call, key: string, { author, text }: OutgoingComment): Promise<null> {
    await this.patch(key, { comments: TOLD.comment(author, text) });
    return null;
  }

  async setStatus(call: Call, key: string, news: StatusNews): Promise<null> {
    if (news.isRepeated && (await this.isNoted(key, news))) return null;
    const { status } = news;
    const state = this.context.client.statuses[status] ?? STATES[status];
    const note = { work_notes: marked(TOLD.status(call.incident, status), news) };
    await this.patch(key, state === undefined ? note : { state, ...note, ...closing(call, state) });
    return null;
  }

  async remove({ incident }: Call, key: string, news: News): Promise<null> {
    if (news.isRepeated && (await this.isNoted(key, news))) return null;
    await this.patch(key, { work_notes: marked(TOLD.removed(incident), news) });
    return null;
  }

  async read(_call: Call, key: string): Promise<RemoteState> {
    const url = this.row(key);
    url.searchParams.set('sysparm_fields', 'state');
    url.searchParams.set('sysparm_display_value', 'all');
    const { state } = (await this.ask(stateOf, { url })).result;
    const told = await this.journalOf(key, 'comments', '^ORDERBYDESCsys_created_on');
    const newestFirst = told.map((entry) => ({
      id: entry.sys_id,
      text: entry.value ?? '',
      author: entry.sys_created_by ?? 'ServiceNow',
    }));
    const phase = PHASES[state.value] ?? null;
    return { status: state.display_value ?? state.value, phase, comments: newestFirst.toReversed() };
  }

  private async isNoted(key: string, { id }: News): Promise<boolean> {
    const found = await this.journalOf(key, 'work_notes', `^valueLIKE(holdfast-${id})`);
    return found.length > 0;
  }

  private async journalOf(key: string, element: 'comments' | 'work_notes', rest: string) {
    if (!SYS_ID.test(key)) throw notUnderstood(this.context.client, 'no sys_id');
    const url = this.at(JOURNAL);
    url.searchParams.set('sysparm_query', `element_id=${key}^element=${element}${rest}`);
    url.searchParams.set('sysparm_fields', 'sys_id,value,sys_created_by');
    url.searchParams.set('sysparm_limit', String(MOST_COMMENTS));
    return (await this.ask(journal, { url })).result;
  }

  private async ask<T>(schema: z.ZodType<T>, question: OutsideQuestion): Promise<T> {
    const { json } = await askOutside(question, this.context);
    const read = schema.safeParse(json);
    if (!read.success) throw notUnderstood(this.context.client, 'not the shape of ServiceNow', read.error);
    return read.data;
  }

  private at(path: string): URL {
    return below(this.context.client, path);
  }

  private row(key: string): URL {
    return this.at(`${TABLE}/${encodeURIComponent(key)}`);
  }

  private remote({ sys_id: key, number }: z.output<typeof record>): Remote {
    const url = this.at('/nav_to.do');
    url.searchParams.set('uri', `incident.do?sys_id=${key}`);
    return { key, externalId: number ?? key, url: url.href, status: null };
  }

  private async patch(key: string, body: Record<string, string>): Promise<void> {
    await this.ask(one, { method: 'PATCH', url: this.row(key), body });
  }
}

/** Throws an `OutsideFailure` that says whether to try again. */
export function createServiceNowAdapter(context: AdapterContext): Adapter {
  return new ServiceNowAdapter(context);
}
