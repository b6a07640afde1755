/**
 * Malformed requests: valid ones with pieces cut, doubled and swapped, random bytes, and what attackers send. The
 * law: a legal answer or a refusal in the published form, never a fault, never the text of a statement.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../effort.ts';
import { forEachFilmServer } from './film-server.ts';

const VALID = [
  'select=id,title,directors(last_name)&order=id.desc.nullslast&limit=3',
  'select=*,roles!inner(character,actors(name))&roles.actors.name=like.*a*',
  'select=title,...directors(first_name)&directors=not.is.null',
  'or=(id.eq.1,and(year.gt.1950,not.or(title.like.S*,tags.cs.{japan})))',
  'id=in.(1,2,"3")&year=not.gte.1960&words=fts(english).samurai',
  'info->cast->>lead=eq.x&info->prizes->0=not.is.null&order=info->>length',
  'weeks=ov.[1,4)&screening=adj.[2024-01-01,2024-02-01)&title=imatch.^s',
  'id=eq(any).{1,2,3}&title=ilike(all).{a*,*b}&rating=isdistinct.PG',
  'select=y:year::text,frame->width&offset=2&columns=id&on_conflict=id',
  'title.filter=a*,!b,c&created_at.filter=now-1d',
];
const HOSTILE = [
  "1' or '1'='1",
  "'; drop table cinema.films; --",
  '") union select 1 --',
  '$1',
  '$$',
  'pg_sleep(5)',
  '1;select pg_sleep(5)',
  '../../etc/passwd',
  '%00',
  '%0d%0aset-cookie:a=b',
  '\u202e',
  '{{7*7}}',
  '9'.repeat(400),
  '('.repeat(300),
  ')'.repeat(300),
  '{'.repeat(100),
  '"',
  '\\',
  '::regclass',
  '->>'.repeat(30),
  'not.not.eq.1',
  'a.'.repeat(200),
  'é'.repeat(100),
  '🎬',
  '(((a+)+)+)+$',
];
const PIECES = VALID.flatMap((query) => query.split(/(?<=[=.,()&:!>*{}[\]-])/));
const TARGETS = [
  '/films',
  '/directors',
  '/film_counts',
  '/Odd%20Names',
  '/rpc/best_films',
  '/rpc/add_them',
  '/nothing',
];
const ACCEPTS = ['*/*', 'text/csv', 'application/vnd.pgrst.object+json', 'image/png', ';;,'];
const PREFERS = [
  '',
  'count=exact',
  'handling=strict,x=y',
  'count=planned,timezone=Mars/Sea',
  ',,=',
  'max-affected=x',
];

const mutated = fc
  .record({
    query: fc.constantFrom(...VALID),
    edits: fc.array(
      fc.record({
        at: fc.nat(200),
        cut: fc.nat(12),
        put: fc.oneof(fc.constantFrom(...PIECES, ...HOSTILE), fc.string({ unit: 'binary', maxLength: 6 })),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ query, edits }) =>
    edits.reduce((text, { at, cut, put }) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + cut);
    }, query),
  );
const soup = fc
  .array(fc.constantFrom(...PIECES, ...HOSTILE), { minLength: 1, maxLength: 10 })
  .map((pieces) => pieces.join(''));
const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 30 })
  .map((values) => [...values].map((value) => `%${value.toString(16).padStart(2, '0')}`).join(''));
const requests = fc.record({
  target: fc.constantFrom(...TARGETS),
  query: fc.oneof({ weight: 5, arbitrary: mutated }, { weight: 3, arbitrary: soup }, bytes),
  accept: fc.constantFrom(...ACCEPTS),
  prefer: fc.constantFrom(...PREFERS),
});

/** Words that only our statements have. */
const STATEMENT = /_hf_|json_agg|coalesce\(|row_to_json|json_populate|lateral|\bt\d+\."|"cinema"\."/;
const PARTS = 20;
const REQUESTS = 10_000;

forEachFilmServer((server) => {
  test(`${runs(REQUESTS)} malformed requests end in a legal answer or a refusal that gives nothing away`, async () => {
    let refused = 0;
    const check = async ({
      target,
      query,
      accept,
      prefer,
    }: {
      target: string;
      query: string;
      accept: string;
      prefer: string;
    }) => {
      const isCall = target.startsWith('/rpc/');
      const answer = await server().dataApi.handle({
        method: 'GET',
        target: {
          kind: isCall ? 'rpc' : 'table',
          name: decodeURIComponent(target.replace(/^\/(?:rpc\/)?/, '')),
        },
        search: query,
        headers: { accept, prefer },
        roles: [],
      });
      expect(answer.status, `${target}?${query}`).toBeLessThan(500);
      expect(answer.status).toBeGreaterThanOrEqual(200);
      if (answer.status < 300) return;
      refused += 1;
      expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['code', 'message', 'details', 'hint']);
      expect(answer.body, `${target}?${query}`).not.toMatch(STATEMENT);
    };
    for (let part = 0; part < PARTS; part += 1) {
      await fc.assert(fc.asyncProperty(requests, check), {
        numRuns: REQUESTS / PARTS,
        seed: 4 + part,
      });
    }
    expect(refused).toBeGreaterThan(runs(REQUESTS) / 4);
    expect(await server().db.text('select count(*)::text from cinema.films')).toBe('6');
  }, 600_000);

  test('hostile paths, bodies and headers over HTTP are refused without a fault', async () => {
    for (const hostile of HOSTILE) {
      const path = `/${encodeURIComponent(hostile)}`;
      for (const answer of [
        await server().get(path),
        await server().get(`/rpc${path}`),
        await server().get(`/films?select=${encodeURIComponent(hostile)}`),
        await server().send('POST', '/actors', { body: { id: hostile, name: hostile } }),
        await server().send('POST', '/actors', { body: { [hostile]: 1 } }),
        await server().send('POST', `/actors?columns=${encodeURIComponent(hostile)}`, { body: {} }),
        await server().send('POST', '/rpc/add_them', { body: { a: hostile, b: 1 } }),
      ]) {
        expect(answer.status, `${hostile}: ${answer.text}`).toBeGreaterThanOrEqual(200);
        expect(answer.status, `${hostile}: ${answer.text}`).toBeLessThan(500);
        expect(answer.text).not.toMatch(STATEMENT);
      }
    }
  }, 120_000);
});
