/**
 * github: what a search of GitHub finds, or what a path of its REST API answers. It never fails by itself. The product
 * ran SQL over repositories here (mergestat); that needs a process of its own and is told as not run.
 */
import { z } from 'zod';
import { githubApi } from '../../../catalog/scrapers/kinds/github-actions/github-client.ts';
import { addressBeside } from '../../../connections/secret-scope.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { authorization, callJson } from '../../kind/http-call.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { readValue } from '../../kind/secret-values.ts';
import { connectionOf } from '../../kind/service-place.ts';
import { common, limits, text, valueSchema } from '../../kind/spec-fields.ts';

const githubSchema = z
  .strictObject({
    ...common,
    ...limits,
    connection: z.string().optional(),
    /** Of a server of one's own. */
    url: z.string().optional(),
    githubToken: valueSchema.optional(),
    /** As in the search box of GitHub. */
    query: text.optional(),
    search: z.enum(['issues', 'repositories', 'code', 'commits']).optional(),
    /** Instead of a search, below the address of the API. */
    path: z
      .string()
      .regex(/^\/[^\s\\]*$/, 'must begin with a slash, such as /repos/acme/shop/releases/latest')
      .optional(),
  })
  .refine(({ query = '', path }) => (query.trim() === '') !== (path === undefined), {
    path: ['query'],
    message: 'is required, or path instead of it',
  });
type GithubSpec = z.output<typeof githubSchema>;

const MAX_REDIRECTS = 3;
const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
const foundSchema = z.object({ total_count: z.number(), items: z.array(z.looseObject({})) });

function sqlNotRun({ query = '' }: GithubSpec): string | null {
  return /^\s*(select|with)\s/i.test(query)
    ? 'query: SQL over repositories is not run by this server; write a search of GitHub, or path'
    : null;
}

/** The API that is asked, and as whom; without a token as anybody. */
async function placeOf(spec: GithubSpec, context: KindContext) {
  const connection = await connectionOf(spec, context);
  const { url = '', githubToken } = spec;
  const address =
    connection === null || url === ''
      ? url || (connection?.url ?? '')
      : addressBeside(connection, url, context.author).href;
  const own = githubToken === undefined ? '' : await readValue(githubToken, context);
  const bearer = own === '' ? (connection?.password ?? '') : own;
  return {
    api: githubApi(address),
    headers: { ...HEADERS, ...authorization({ username: '', password: '', bearer }) },
    tls: { isInsecure: connection?.isInsecureTls },
  };
}

function run(spec: GithubSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const { api, headers, tls } = await placeOf(spec, context);
    const ask = (path: string) =>
      callJson(at, { url: new URL(`${api}${path}`), headers, tls, maxRedirects: MAX_REDIRECTS });
    if (spec.path !== undefined) return { data: { results: await ask(spec.path) } };
    const query = encodeURIComponent(spec.query ?? '');
    const found = foundSchema.parse(await ask(`/search/${spec.search ?? 'issues'}?per_page=100&q=${query}`));
    return { data: { results: found.items, count: found.total_count } };
  });
}

/** What GitHub knows, for a test or a transform to judge. */
export const githubKind = registeredKind({
  key: 'github',
  title: 'GitHub',
  needs: 'a token for what is not public; SQL over repositories (mergestat) is not run',
  testedAgainst: 'stand-in',
  example: {
    name: 'open incidents',
    query: 'repo:acme/shop is:issue is:open label:incident',
    githubToken: { valueFrom: { secretKeyRef: { name: 'github', key: 'token' } } },
    test: { expr: 'count == 0' },
  },
  schema: githubSchema,
  notRun: sqlNotRun,
  run,
});
