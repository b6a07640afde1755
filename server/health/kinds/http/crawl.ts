/**
 * crawl: follows the links of a page, and those of the pages that they lead to, and tells which answer badly. Links of other
 * hosts are not followed; nothing of the check's sign-in goes anywhere else than to its own origin. Bounded in pages, depth,
 * bytes and time.
 */
import { Parser } from 'htmlparser2';
import { z } from 'zod';
import { parseDuration } from '../../../../src/domain/check/duration.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { requestThroughGuard } from '../../../platform/egress/egress-http.ts';
import type { EgressRequest, EgressResponse } from '../../../platform/egress/egress-http.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import type { KindContext } from '../../kind/check-kind.ts';
import { durationText, text } from '../../kind/spec-fields.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const patterns = z.array(text).max(20);
/** As the product's specifications have them. */
export const crawlSchema = z.strictObject({
  /** How many links away from the first page. */
  depth: z.number().int().min(1).max(5).optional(),
  parallelism: z.number().int().min(1).max(5).optional(),
  delay: durationText.optional(),
  randomDelay: durationText.optional(),
  /** Other hosts whose links are followed, too. */
  allowedDomains: patterns.optional(),
  disallowedDomains: patterns.optional(),
  /** Patterns of addresses; where some are given, only those are followed. */
  urlFilters: patterns.optional(),
  disallowedURLFilters: patterns.optional(),
});
type CrawlSpec = z.output<typeof crawlSchema>;

const DEFAULT_DEPTH = 2;
const MAX_PAGES = 200;
const LIMIT_MS = 60_000;
const MAX_PAGE_BYTES = 1024 * 1024;
/** In which elements which attribute leads elsewhere. */
const LINKS = lookupTable<string>({ a: 'href', area: 'href', iframe: 'src', frame: 'src' });

interface CrawledPage {
  url: string;
  /** 0 where nothing answered. */
  code: number;
  error: string;
  /** The page that led there. */
  from: string;
}

/** Addresses that a page leads to, without what stands behind `#`. */
export function linksOf(html: string, base: URL): URL[] {
  const found = new Map<string, URL>();
  let from = base;
  const parser = new Parser({
    onopentag(name, attributes) {
      const link = attributes[LINKS[name] ?? ''];
      if (name === 'base' && URL.canParse(attributes['href'] ?? '', base.href))
        from = new URL(attributes['href'] ?? '', base.href);
      if (link === undefined || !URL.canParse(link, from.href)) return;
      const url = new URL(link, from.href);
      url.hash = '';
      if (/^https?:$/.test(url.protocol)) found.set(url.href, url);
    },
  });
  parser.end(html);
  return [...found.values()];
}

interface Found {
  url: URL;
  from: string;
  depth: number;
}

class Crawl {
  readonly pages: CrawledPage[] = [];
  isCut = false;
  private readonly known = new Set<string>();
  private readonly spec: CrawlSpec;
  private readonly first: EgressRequest;
  private readonly context: KindContext;

  constructor(spec: CrawlSpec, first: EgressRequest, context: KindContext) {
    this.spec = spec;
    this.first = first;
    this.context = context;
    this.known.add(first.url.href);
  }

  /** Those of the links that are to be followed and are not known. */
  private async next(links: readonly URL[], from: string, depth: number): Promise<Found[]> {
    const {
      allowedDomains = [],
      disallowedDomains = [],
      urlFilters = [],
      disallowedURLFilters = [],
    } = this.spec;
    const hosts = new Set([this.first.url.host, ...allowedDomains]);
    const fresh = links.filter(
      ({ href, host }) => !this.known.has(href) && hosts.has(host) && !disallowedDomains.includes(host),
    );
    const names = fresh.map(({ href }) => href);
    const wanted = new Set(urlFilters.length === 0 ? names : []);
    for (const pattern of urlFilters)
      for (const name of await this.context.matching(pattern, names)) wanted.add(name);
    for (const pattern of disallowedURLFilters)
      for (const name of await this.context.matching(pattern, names)) wanted.delete(name);
    for (const name of wanted) this.known.add(name);
    return fresh.filter(({ href }) => wanted.has(href)).map((url) => ({ url, from, depth }));
  }

  private request({ url }: Found): EgressRequest {
    const isOwn = url.origin === this.first.url.origin;
    const { 'user-agent': agent = '' } = this.first.headers;
    const headers = isOwn ? this.first.headers : { 'user-agent': agent };
    const tls = isOwn ? this.first.tls : {};
    return { ...this.first, url, headers, tls, method: 'GET', body: null, maxBodyBytes: MAX_PAGE_BYTES };
  }

  private async visit(found: Found, signal: AbortSignal): Promise<Found[]> {
    const { guard, platform } = this.context;
    const { delay = '', randomDelay = '' } = this.spec;
    const waitMs = (parseDuration(delay) ?? 0) + platform.random() * (parseDuration(randomDelay) ?? 0);
    if (waitMs > 0) await platform.sleep(waitMs, signal);
    const page: CrawledPage = { url: found.url.href, code: 0, error: '', from: found.from };
    try {
      // A page's links are a stranger's choice, whoever named the page.
      const trust = found.url.host === this.first.url.host ? this.context.trust : 'user';
      const answer = await requestThroughGuard(guard, trust, { request: this.request(found), signal });
      page.code = answer.statusCode;
      return await this.linksIn(answer, found);
    } catch (error) {
      if (signal.aborted) return [];
      page.error = reasonOf(error);
      return [];
    } finally {
      if (!signal.aborted) this.pages.push(page);
    }
  }

  private linksIn(answer: EgressResponse, { depth }: Found): Promise<Found[]> {
    const { depth: deepest = DEFAULT_DEPTH } = this.spec;
    const isPage = (answer.headers['content-type'] ?? '').includes('html');
    if (!isPage || depth >= deepest) return Promise.resolve([]);
    const { url, body } = answer;
    return this.next(linksOf(body.toString('utf8'), url), url.href, depth + 1);
  }

  /** Level by level, a few pages at a time. */
  async run(start: EgressResponse): Promise<void> {
    const signal = AbortSignal.any([this.context.signal, AbortSignal.timeout(LIMIT_MS)]);
    let queue = await this.linksIn(start, { url: this.first.url, from: '', depth: 0 });
    while (queue.length > 0 && !signal.aborted) {
      const left = MAX_PAGES - this.pages.length;
      if (left <= 0) break;
      const now = queue.splice(0, Math.min(this.spec.parallelism ?? 1, left));
      const more = await Promise.all(now.map((found) => this.visit(found, signal)));
      queue = [...queue, ...more.flat()];
    }
    this.isCut = queue.length > 0;
    if (this.context.signal.aborted) throw new AppError('timeout', 'was stopped with the server');
  }
}

/** What scripts see: the pages, and the addresses of those that answer badly. */
export async function crawl(
  spec: CrawlSpec,
  { request, answer }: { request: EgressRequest; answer: EgressResponse },
  context: KindContext,
): Promise<{ pages: CrawledPage[]; missing: string[]; isCut: boolean }> {
  const walk = new Crawl(spec, request, context);
  await walk.run(answer);
  const missing = walk.pages.filter(({ code }) => code === 0 || code >= 400).map(({ url }) => url);
  return { pages: walk.pages, missing, isCut: walk.isCut };
}
