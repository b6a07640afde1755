/**
 * The pages of an answer over HTTP: an expression says where the next one is. Always at the same place as the first: what
 * the request signs in with goes nowhere else.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { HttpEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import { isRecord } from '../../../../../src/lib/is-record.ts';
import { reasonOf } from '../../../../platform/reason-of.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';

export interface HttpPage {
  url: URL;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

type Pagination = NonNullable<HttpEntry['pagination']>;
type PageContext = Pick<ScrapeContext, 'expressions' | 'sleep' | 'signal'>;

const DEFAULT_PAGES = 100;
const MAX_PAGES = 1000;
const MAX_DELAY_MS = 60_000;
/** Where services put the list of a page. */
const LISTS = ['value', 'items', 'data', 'results'];
const ENDS = new Set(['', 'null', 'false']);

async function evaluated(
  expr: string,
  variables: Record<string, unknown>,
  context: PageContext,
): Promise<string> {
  const scope = { variables, durationNames: [], lastResult: null };
  return (await context.expressions.evaluate({ expr }, scope)).text.trim();
}

function listIn(body: unknown): unknown[] | null {
  if (Array.isArray(body)) return body;
  if (!isRecord(body)) return null;
  const name = LISTS.find((key) => Array.isArray(body[key]));
  const list = name === undefined ? null : body[name];
  return Array.isArray(list) ? list : null;
}

/** Lists are joined to one; pages without any stay documents of their own. */
export function joinedPages(bodies: readonly unknown[]): unknown[] {
  const lists = bodies.map(listIn);
  return lists.every((list) => list !== null) ? [lists.flat()] : [...bodies];
}

async function reduced({ reduceExpr = '' }: Pagination, bodies: readonly unknown[], context: PageContext) {
  if (reduceExpr === '') return joinedPages(bodies);
  const text = await evaluated(reduceExpr, { pages: bodies }, context);
  try {
    return [JSON.parse(text) as unknown];
  } catch (error) {
    throw new AppError('invalid', `pagination.reduceExpr: made no JSON: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** All pages from the first one on. */
export async function readPages(
  first: HttpPage,
  { pagination, ask }: { pagination: Pagination; ask: (url: URL) => Promise<HttpPage> },
  context: PageContext,
): Promise<{ contents: unknown[]; errors: string[] }> {
  const maxPages = Math.min(pagination.maxPages ?? DEFAULT_PAGES, MAX_PAGES);
  const delayMs = pagination.perPageDelay === undefined ? 0 : parseDuration(pagination.perPageDelay);
  if (delayMs === null || delayMs > MAX_DELAY_MS)
    throw new AppError('invalid', 'pagination.perPageDelay: is no duration of at most a minute');
  const seen = new Set([first.url.href]);
  const bodies = [first.body];
  let page = first;
  let isMore = false;
  for (;;) {
    const { url, status, headers, body } = page;
    const variables = { response: { body, headers, status }, request: { url: url.href } };
    const text = await evaluated(pagination.nextPageExpr, variables, context);
    if (ENDS.has(text)) break;
    const next = URL.canParse(text, url.href) ? new URL(text, url.href) : null;
    if (next === null || next.origin !== first.url.origin)
      throw new AppError('invalid', 'pagination.nextPageExpr: leads to another place than the first page');
    if (seen.has(next.href)) throw new AppError('invalid', 'pagination.nextPageExpr: leads in a circle');
    isMore = bodies.length >= maxPages;
    if (isMore) break;
    seen.add(next.href);
    await context.sleep(delayMs);
    context.signal.throwIfAborted();
    page = await ask(next);
    bodies.push(page.body);
  }
  const errors = isMore
    ? [`pagination.maxPages: there are more than ${maxPages} pages; the rest is left out`]
    : [];
  return { contents: await reduced(pagination, bodies, context), errors };
}
