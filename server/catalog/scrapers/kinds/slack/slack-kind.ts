/**
 * slack: messages of channels as changes of items. A rule's regular expression has named groups; they fill what its
 * mapping and its `config` lookup leave open. It runs in the thread of expressions, never here.
 */
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { SlackEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import type { ItemLookup, ScrapeContext, ScrapedChange, ScraperKind } from '../../specs/scraped.ts';
import { callJson } from '../services/json-call.ts';
import { isNamedBy, namedList } from '../services/named-list.ts';
import { change, output } from '../services/scraped-parts.ts';

const ENDPOINT = 'https://slack.com';
const DEFAULT_SINCE = '7d';
const PAGE = '200';
const MAX_PAGES = 50;

const cursor = z.object({ next_cursor: z.string().optional() }).optional();
const messageSchema = z.looseObject({
  ts: z.string(),
  text: z.string().default(''),
  user: z.string().optional(),
  username: z.string().optional(),
  bot_id: z.string().optional(),
  bot_profile: z.looseObject({ name: z.string().optional() }).optional(),
});
type Message = z.output<typeof messageSchema>;
const listSchema = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  channels: z.array(z.looseObject({ id: z.string(), name: z.string().default('') })).default([]),
  messages: z.array(messageSchema).default([]),
  response_metadata: cursor,
});
const groupsSchema = z.array(z.record(z.string(), z.string().nullish()).nullable());
type Rule = NonNullable<SlackEntry['rules']>[number];
type Groups = Record<string, string>;

interface Place {
  url: URL;
  headers: Record<string, string>;
}

/** Every page of a method. */
async function pages(
  place: Place,
  given: { method: string; query: Record<string, string> },
  context: ScrapeContext,
) {
  const found: z.output<typeof listSchema>[] = [];
  let next = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const url = new URL(`/api/${given.method}`, place.url);
    for (const [name, value] of Object.entries({ ...given.query, limit: PAGE, cursor: next }))
      if (value !== '') url.searchParams.set(name, value);
    const parsed = listSchema.safeParse(await callJson('Slack', { url, headers: place.headers }, context));
    if (!parsed.success) throw new AppError('bad_payload', `Slack: ${given.method} answered something else`);
    if (!parsed.data.ok)
      throw new AppError('forbidden', `Slack: ${given.method}: ${parsed.data.error ?? 'refused'}`);
    found.push(parsed.data);
    next = parsed.data.response_metadata?.next_cursor ?? '';
    if (next === '') return found;
  }
  return found;
}

const isBy = (message: Message, { filter }: Rule): boolean => {
  const bot = filter?.bot === undefined ? null : namedList([filter.bot]);
  const user = filter?.user === undefined ? null : namedList([filter.user]);
  const names = [message.username, message.bot_profile?.name, message.bot_id].map((name) => name ?? '');
  return (
    (bot === null || names.some((name) => isNamedBy(bot, name))) &&
    (user === null || isNamedBy(user, message.user ?? ''))
  );
};

/** What the groups of a rule took of each text; null where it does not match. */
async function matches(
  rule: Rule,
  texts: readonly string[],
  context: ScrapeContext,
): Promise<(Groups | null)[]> {
  // Named groups as Go writes them.
  const pattern = rule.regexp.replaceAll('(?P<', '(?<');
  const javascript = `JSON.stringify(texts.map(function (text) {
    var found = new RegExp(pattern).exec(text);
    return found === null ? null : Object.assign({}, found.groups);
  }))`;
  const scope = { variables: { texts, pattern }, durationNames: [], lastResult: null };
  const { text } = await context.expressions.evaluate({ javascript }, scope);
  const found = groupsSchema.parse(JSON.parse(text));
  return found.map((groups) =>
    groups === null
      ? null
      : Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, (value ?? '').trim()])),
  );
}

async function valueOf(lookup: unknown, env: Groups, context: ScrapeContext): Promise<string> {
  const parsed = z
    .looseObject({ value: z.unknown().optional(), expr: z.string().optional() })
    .safeParse(lookup);
  if (!parsed.success) return typeof lookup === 'string' ? lookup : '';
  const { value, expr } = parsed.data;
  if (expr === undefined) return typeof value === 'string' ? value : '';
  const scope = { variables: { env, ...env }, durationNames: [], lastResult: null };
  return (await context.expressions.evaluate({ expr }, scope)).text.trim();
}

async function lookupsOf(rule: Rule, env: Groups, context: ScrapeContext): Promise<ItemLookup[]> {
  const wanted = rule.config ?? [
    { name: { value: env['name'] ?? '' }, types: [{ value: env['config_type'] ?? '' }] },
  ];
  const found: ItemLookup[] = [];
  for (const given of wanted) {
    const name = await valueOf(given.name, env, context);
    const id = await valueOf(given.external_id, env, context);
    const types = given.types ?? [''];
    for (const one of types) {
      const type = await valueOf(one, env, context);
      // A lookup of a type alone would be every item of it.
      if (name === '' && id === '') continue;
      found.push({
        scope: 'all',
        ...(name === '' ? {} : { name }),
        ...(id === '' ? {} : { externalId: id }),
        ...(type === '' ? {} : { type }),
      });
    }
  }
  return found;
}

async function changesOf(
  rule: Rule,
  { message, env, channel }: { message: Message; env: Groups; channel: string },
  context: ScrapeContext,
): Promise<ScrapedChange[]> {
  const changes: ScrapedChange[] = [];
  for (const lookup of await lookupsOf(rule, env, context))
    for (const about of await context.findItems(lookup))
      changes.push(
        change({
          about,
          externalChangeId: `slack/${channel}/${message.ts}`,
          changeType: String(rule.mapping?.type ?? env['type'] ?? 'SlackMessage'),
          severity: String(rule.mapping?.severity ?? env['severity'] ?? 'info'),
          summary: String(rule.mapping?.summary ?? env['summary'] ?? message.text.slice(0, 300)),
          source: 'slack',
          details: { channel, text: message.text, user: message.user ?? message.username ?? null },
          createdAt: new Date(Number(message.ts) * 1000),
        }),
      );
  return changes;
}

/** What one rule makes of the messages of a channel, and how many of them are about no item. */
async function ruled(
  rule: SlackEntry['rules'][number],
  { messages, channel }: { messages: readonly Message[]; channel: string },
  context: ScrapeContext,
): Promise<{ changes: ScrapedChange[]; unmatched: number }> {
  const own = messages.filter((message) => isBy(message, rule));
  const texts = own.map(({ text }) => text);
  const found = texts.length === 0 ? [] : await matches(rule, texts, context);
  const changes: ScrapedChange[] = [];
  let unmatched = 0;
  for (const [at, env] of found.entries()) {
    const message = own[at];
    if (env === null || message === undefined) continue;
    const made = await changesOf(rule, { message, env, channel }, context);
    if (made.length === 0) unmatched += 1;
    changes.push(...made);
  }
  return { changes, unmatched };
}

async function scrape(entry: SlackEntry, context: ScrapeContext) {
  const sinceMs = parseDuration(entry.since ?? DEFAULT_SINCE);
  if (sinceMs === null) throw new AppError('invalid', `since: "${entry.since}" is no duration such as 14d`);
  const given = entry.endpoint ?? ENDPOINT;
  if (!URL.canParse(given)) throw new AppError('invalid', `endpoint: "${given}" is no address`);
  const headers = { authorization: `Bearer ${await context.secret(entry.token)}` };
  const place = { url: new URL(given), headers };
  const wanted = namedList(entry.channels);
  const types = { types: 'public_channel,private_channel', exclude_archived: 'true' };
  const lists = await pages(place, { method: 'conversations.list', query: types }, context);
  const channels = lists
    .flatMap((page) => page.channels)
    .filter(({ name }) => wanted === null || isNamedBy(wanted, name));
  const oldest = String((context.now().getTime() - sinceMs) / 1000);
  const [changes, errors]: [ScrapedChange[], string[]] = [[], []];
  let unmatched = 0;
  for (const { id, name } of channels) {
    const history = await pages(
      place,
      { method: 'conversations.history', query: { channel: id, oldest } },
      context,
    );
    const messages = history.flatMap((page) => page.messages);
    for (const rule of entry.rules) {
      const made = await ruled(rule, { messages, channel: name }, context);
      unmatched += made.unmatched;
      changes.push(...made.changes);
    }
  }
  if (channels.length === 0) errors.push('channels: no channel that the token may see has such a name');
  const warnings = unmatched === 0 ? [] : [`rules: ${unmatched} messages are about no item of the catalog`];
  return output({ changes, errors, warnings, isComplete: false });
}

/** See the head of this file. */
export const slackKind: ScraperKind<SlackEntry> = { kind: 'slack', scrape };
