/**
 * Jira's REST interface, version 2, which Cloud, Server and Data Center share. A call is labelled with the
 * responder's id, by which it is found again when the answer to its creation was lost.
 */
import { z } from 'zod';
import type {
  Adapter,
  AdapterContext,
  Call,
  OutgoingComment,
  Phase,
  Remote,
  RemoteComment,
  RemoteState,
  StatusNews,
} from './adapter.ts';
import { readJiraOptions } from './jira-options.ts';
import type { JiraOptions } from './jira-options.ts';
import { TOLD } from './messages.ts';
import { askOutside, below, notUnderstood } from './outside-call.ts';
import type { OutsideQuestion } from './outside-call.ts';
import { needField } from './responder-fields.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const API = '/rest/api/2';
const NOT_FOUND = 404;
const GONE = 410;
/** More comments than this on one ticket are read with the next look. */
const MOST_COMMENTS = 100;
const LONGEST_SUMMARY = 250;

const issueKey = z.looseObject({ key: z.string().min(1) });
const found = z.looseObject({ issues: z.array(issueKey) });
const created = z.looseObject({ id: z.coerce.string().min(1) });
const person = z.looseObject({ displayName: z.string().nullish(), name: z.string().nullish() });
const comments = z.looseObject({
  comments: z.array(
    z.looseObject({ id: z.coerce.string(), body: z.string().nullish(), author: person.nullish() }),
  ),
});
const issue = z.looseObject({
  fields: z.looseObject({
    status: z.looseObject({
      name: z.string(),
      statusCategory: z.looseObject({ key: z.string() }).nullish(),
    }),
  }),
});
const named = z.looseObject({ id: z.coerce.string(), name: z.string() });
const transitions = z.looseObject({
  transitions: z.array(named.extend({ to: z.looseObject({ name: z.string() }).nullish() })),
});

/** What a status of ours is usually called in a workflow; the team's `statuses` come first. */
const USUAL = lookupTable<readonly string[]>({
  new: ['new', 'to do'],
  open: ['open', 'reopened', 'reopen', 'to do'],
  investigating: ['investigating', 'in progress', 'under investigation', 'start progress'],
  mitigated: ['mitigated', 'monitoring'],
  resolved: ['resolved', 'resolve', 'done', 'complete'],
  closed: ['closed', 'close', 'done', 'complete'],
  cancelled: ['cancelled', 'canceled', "won't do", 'closed'],
});

const labelOf = (responderId: string): string => `holdfast-${responderId}`;

function phaseOf(status: string, category: string | undefined): Phase {
  if (/^close/i.test(status)) return 'closed';
  if (category === 'done') return 'resolved';
  return category === 'indeterminate' ? 'acknowledged' : 'created';
}

function commentsIn(json: z.output<typeof comments>): RemoteComment[] {
  return json.comments.map(({ id, body, author }) => ({
    id,
    text: body ?? '',
    author: author?.displayName ?? author?.name ?? 'Jira',
  }));
}

/** `id` of Jira when it is a number, else a name, as forms of either kind fill them in. */
const idOrName = (value: string) => (/^\d+$/.test(value) ? { id: value } : { name: value });

class JiraAdapter implements Adapter {
  private readonly context: AdapterContext;

  constructor(context: AdapterContext) {
    this.context = context;
  }

  async find({ responderId }: Call): Promise<Remote | null> {
    const { issues } = await this.search(`labels = "${labelOf(responderId)}"`);
    const [first] = issues;
    return first === undefined ? null : this.remote(first.key);
  }

  async create({ responderId, fields, incident }: Call): Promise<Remote> {
    const priority = fields['priority'] ?? '';
    const body = {
      fields: {
        project: { key: needField(fields, 'project') },
        issuetype: idOrName(needField(fields, 'issueType')),
        summary: (fields['summary'] || TOLD.summary(incident)).slice(0, LONGEST_SUMMARY),
        description: TOLD.description(fields['description'] || incident.description, incident),
        labels: [labelOf(responderId)],
        ...(priority === '' ? {} : { priority: idOrName(priority) }),
      },
    };
    const url = below(this.context.client, `${API}/issue`);
    return this.remote((await this.ask(issueKey, { method: 'POST', url, body })).key);
  }

  addComment(_call: Call, key: string, { author, text }: OutgoingComment): Promise<string> {
    return this.say(key, TOLD.comment(author, text));
  }

  async setStatus({ incident }: Call, key: string, { status }: StatusNews): Promise<string | null> {
    return (await this.move(key, status)) ? null : this.say(key, TOLD.status(incident, status));
  }

  remove({ incident }: Call, key: string): Promise<string> {
    return this.say(key, TOLD.removed(incident));
  }

  async read(_call: Call, key: string): Promise<RemoteState> {
    const status = await this.status(key);
    const told = this.issueUrl(key, '/comment');
    told.searchParams.set('maxResults', String(MOST_COMMENTS));
    told.searchParams.set('orderBy', '-created');
    const newestFirst = commentsIn(await this.ask(comments, { url: told }));
    const phase = phaseOf(status.name, status.statusCategory?.key);
    return { status: status.name, phase, comments: newestFirst.toReversed() };
  }

  options(): Promise<JiraOptions> {
    return readJiraOptions(this.context);
  }

  private async status(key: string): Promise<z.output<typeof issue>['fields']['status']> {
    const url = this.issueUrl(key);
    url.searchParams.set('fields', 'status');
    return (await this.ask(issue, { url })).fields.status;
  }

  private async ask<T>(schema: z.ZodType<T>, question: OutsideQuestion): Promise<T> {
    const { json } = await askOutside(question, this.context);
    const read = schema.safeParse(json);
    if (!read.success) throw notUnderstood(this.context.client, 'not the shape of Jira', read.error);
    return read.data;
  }

  private issueUrl(key: string, rest = ''): URL {
    return below(this.context.client, `${API}/issue/${encodeURIComponent(key)}${rest}`);
  }

  private remote(key: string): Remote {
    const { href } = below(this.context.client, `/browse/${encodeURIComponent(key)}`);
    return { key, externalId: key, url: href, status: null };
  }

  private async say(key: string, text: string): Promise<string> {
    const question = { method: 'POST', url: this.issueUrl(key, '/comment'), body: { body: text } } as const;
    return (await this.ask(created, question)).id;
  }

  /** Cloud has moved its search; Server and Data Center have the old one only. */
  private async search(jql: string): Promise<z.output<typeof found>> {
    const { client } = this.context;
    const url = below(client, `${API}/search`);
    url.searchParams.set('jql', jql);
    url.searchParams.set('fields', 'key');
    url.searchParams.set('maxResults', '1');
    const { status, json } = await askOutside({ url, alsoTakes: [NOT_FOUND, GONE] }, this.context);
    const read = found.safeParse(json);
    if (status < NOT_FOUND && read.success) return read.data;
    const moved = below(client, '/rest/api/3/search/jql');
    moved.search = url.search;
    return this.ask(found, { url: moved });
  }

  /**
   * By the transition that leads to the status; false when the ticket has none now. One that is there already stays:
   * somebody moved it, or we did and the answer was lost.
   */
  private async move(key: string, status: string): Promise<boolean> {
    const url = this.issueUrl(key, '/transitions');
    const offered = await this.ask(transitions, { url });
    const own = this.context.client.statuses[status];
    const names = own === undefined ? (USUAL[status] ?? [status]) : [own.toLowerCase()];
    const present = (await this.status(key)).name.toLowerCase();
    const leadsTo = (name: string) =>
      offered.transitions.find(
        (one) => one.to?.name.toLowerCase() === name || one.name.toLowerCase() === name,
      );
    const name = names.find((one) => one === present || leadsTo(one) !== undefined);
    if (name === present) return true;
    const wanted = name === undefined ? undefined : leadsTo(name);
    if (wanted === undefined) return false;
    await askOutside({ method: 'POST', url, body: { transition: { id: wanted.id } } }, this.context);
    return true;
  }
}

/** Throws an `OutsideFailure` that says whether to try again. */
export function createJiraAdapter(context: AdapterContext): Adapter {
  return new JiraAdapter(context);
}
