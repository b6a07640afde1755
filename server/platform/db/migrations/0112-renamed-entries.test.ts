/** What an entry of a specification keeps secret goes with it under another name, and nowhere that it did not go. On both databases. */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withSealedSecrets } from '../../../connections/connection-query.ts';
import { sealStored } from '../../../connections/keep-sealed.ts';
import { openContent } from '../../crypto/sealed-values.ts';
import { createSealer } from '../../crypto/sealing.ts';
import { nodePlatform } from '../../platform.ts';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';

type Entry = Record<string, unknown>;
type Spec = Record<string, Entry[]>;

const sealer = createSealer(Buffer.alloc(32, 1), nodePlatform);
const KINDS = ['http', 'mongodb'] as const;
const STARS = { value: '***' };

/** An entry as somebody writes it, who thinks of a kind, an address and a name. */
const drawn = fc.record({
  kind: fc.constantFrom(...KINDS),
  host: fc.constantFrom('a', 'b', 'c'),
  name: fc.constantFrom('one', 'two', 'three', ''),
});
type Drawn = { kind: (typeof KINDS)[number]; host: string; name: string };

function specOf(list: readonly Drawn[], passwordOf: (at: number) => unknown): Spec {
  const spec: Spec = {};
  for (const [at, { kind, host, name }] of list.entries()) {
    const named = name === '' ? {} : { name };
    (spec[kind] ??= []).push({ ...named, url: `https://${host}.example`, password: passwordOf(at) });
  }
  return spec;
}

/** `kind host` of the entries that have a secret in the open, by that secret. */
function placesOf(spec: unknown): Map<string, string> {
  const found = Object.entries(spec as Record<string, { url: string; password: { value: string } }[]>);
  return new Map(
    found.flatMap(([kind, list]) =>
      list.flatMap(({ url, password: { value } }): [string, string][] =>
        value === '***' ? [] : [[value, `${kind} ${url}`]],
      ),
    ),
  );
}

forEachDatabase((_name, openDatabase) => {
  describe('an entry under another name', () => {
    let db: Database;
    let id: string;
    beforeAll(async () => {
      db = await openDatabase();
    });
    beforeEach(async () => {
      await db.run('delete from canaries');
      id =
        (await db.text(
          `insert into canaries (name, namespace, spec) values ('c', 'default', '{}') returning id::text`,
        )) ?? '';
    });
    const write = (spec: unknown, mayGrant = false) =>
      db.transaction(async (tx) => {
        await tx.text(`select set_config('holdfast.may_grant', $1, true)`, [mayGrant ? 'yes' : '']);
        await tx.run('update canaries set spec = $2::jsonb where id = $1', [id, JSON.stringify(spec)]);
      });
    const opened = async () => {
      const [row] = await db.rows(
        z.custom<{ spec: unknown; sealed: Record<string, string> }>(),
        'select opened_spec(id, spec) as spec, sealed_values(id) as sealed from canaries where id = $1',
        [id],
      );
      return openContent(sealer, { id, owner: 'c', content: row?.spec, sealed: row?.sealed ?? {} });
    };
    const tried = (spec: Spec, mayGrant = false) =>
      withSealedSecrets(db, sealer, { table: 'canaries', id, spec, mayGrant });

    it('is not parted from it unless somebody says so: the change is refused with the field, and nothing is lost', async () => {
      const somebody = (spec: unknown, mayGrant = false) =>
        db.transaction(async (tx) => {
          await tx.text(`select set_config('holdfast.may_grant', $1, true)`, [mayGrant ? 'yes' : '']);
          await tx.text(`select set_config('holdfast.actor', 'somebody', true)`);
          await tx.run('update canaries set spec = $2::jsonb where id = $1', [id, JSON.stringify(spec)]);
        });
      const entry = { name: 'shop', url: 'https://shop.example', password: { value: 'hu5h' } };
      const moved = { ...entry, url: 'https://other.example', password: STARS };
      await write({ http: [entry] });
      await expect(somebody({ http: [moved] })).rejects.toThrow(
        'spec.http[0].password.value: what is kept here was entered for where this called before',
      );
      expect(await opened()).toEqual({ http: [entry] });
      await somebody({ http: [{ ...entry, password: STARS, description: 'the shop' }] });
      await somebody({ http: [moved] }, true);
      expect(await opened()).toEqual({ http: [{ ...entry, url: moved.url }] });
      const { password: _password, ...bare } = moved;
      await somebody({ http: [{ ...bare, url: 'https://third.example' }] });
      expect(await opened()).toEqual({ http: [{ ...bare, url: 'https://third.example' }] });
      // Stars that stood for nothing before are nobody's loss now.
      await write({ http: [{ ...bare, password: STARS }] });
      await somebody({ http: [{ ...bare, url: 'https://fourth.example', password: STARS }] });
    });

    it('keeps its secret, sealed or not, and in a try as well', async () => {
      const entry = { name: 'shop', url: 'https://shop.example', password: { value: 'hu5h' } };
      const renamed = { http: [{ ...entry, name: 'store', password: STARS }] };
      const whole = { http: [{ ...entry, name: 'store' }] };
      for (const isSealed of [false, true]) {
        await write({ http: [entry] });
        if (isSealed) await sealStored(db, sealer);
        expect([await tried(renamed), await tried(renamed, true)]).toEqual([whole, whole]);
        await write(renamed);
        expect(await opened()).toEqual(whole);
        // A second name, a word that is entered anew, and a row that is written over as a whole.
        await write({ http: [{ ...entry, name: 'third', password: STARS }] });
        await sealStored(db, sealer);
        await db.run(
          `insert into canaries (id, name, namespace, spec) values ($1, 'c', 'default', $2::jsonb)
             on conflict (id) do update set spec = excluded.spec`,
          [id, JSON.stringify(renamed)],
        );
        expect(await opened()).toEqual(whole);
      }
      await write({ http: [{ ...entry, name: 'store', password: { value: 'another' } }] });
      await sealStored(db, sealer);
      expect(placesOf(await opened()).has('another')).toBe(true);
    });

    it('never goes to another kind or address for who may not read it, whatever is changed at once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(drawn, { minLength: 1, maxLength: 5 }),
          fc.array(drawn, { minLength: 1, maxLength: 5 }),
          async (before, after) => {
            await write(specOf(before, (at) => ({ value: `hu5h-${at}` })));
            const old = placesOf(await opened());
            const changed = specOf(after, () => STARS);
            const shown = placesOf(await tried(changed));
            await write(changed);
            const kept = placesOf(await opened());
            // What a try would send is what would be kept.
            expect(kept).toEqual(shown);
            for (const [secret, place] of kept) expect(place).toBe(old.get(secret));
          },
        ),
        { numRuns: 40 },
      );
    });

    it('keeps all secrets where nothing but names and the order changed and all addresses differ', async () => {
      const each = fc.uniqueArray(drawn, { minLength: 1, selector: ({ kind, host }) => kind + host });
      await fc.assert(
        fc.asyncProperty(each, fc.array(fc.string(), { minLength: 6, maxLength: 6 }), async (list, names) => {
          const secretOf = new Map(list.map((entry, at) => [entry.kind + entry.host, `hu5h-${at}`]));
          await write(specOf(list, (at) => ({ value: `hu5h-${at}` })));
          const old = placesOf(await opened());
          const after = list.map((entry, at) => ({ ...entry, name: names[at]?.replaceAll('\0', '') ?? '' }));
          await write(specOf(after.toReversed(), () => STARS));
          expect(placesOf(await opened())).toEqual(old);
          expect(old.size).toBe(secretOf.size);
        }),
        { numRuns: 15 },
      );
    });

    it('goes to the entry in its place for who may send it anywhere, never to another kind', async () => {
      await write({ http: [{ name: 'a', url: 'https://a.example', password: { value: 'hu5h' } }] });
      const moved = { name: 'b', url: 'https://b.example', password: STARS };
      expect(placesOf(await tried({ mongodb: [moved] }, true)).size).toBe(0);
      expect(placesOf(await tried({ http: [moved] })).size).toBe(0);
      expect(placesOf(await tried({ http: [moved] }, true)).get('hu5h')).toBe('http https://b.example');
      await write({ http: [moved] }, true);
      expect(placesOf(await opened()).get('hu5h')).toBe('http https://b.example');
      // One without a name that is taken away leaves the next one what is its own.
      const two = ['c', 'd'].map((host) => ({
        url: `https://${host}.example`,
        password: { value: host + host },
      }));
      await write({ http: two });
      await write({ http: [{ ...two[1], password: STARS }] }, true);
      expect(await opened()).toEqual({ http: [two[1]] });
    });

    it('refuses stars in what is new, where a person writes them, and names the field', async () => {
      const entry = { name: 'a', url: 'https://a.example', password: { value: 'hu5h' } };
      const added = {
        name: 'b',
        url: 'https://b.example?token=***',
        headers: [{ name: 'token', value: '***' }],
      };
      const person = await db.text(`insert into people (name) values ('author') returning id::text`);
      const byPerson = (sql: string, values: string[]) =>
        db.transaction(async (tx) => {
          await tx.text(`select set_config('holdfast.actor', $1, true)`, [person]);
          await tx.run(sql, values);
        });
      const change = 'update canaries set spec = $2::jsonb where id = $1';
      await byPerson(change, [id, JSON.stringify({ http: [entry] })]);
      await expect(
        byPerson(change, [id, JSON.stringify({ http: [{ ...entry, password: STARS }, added] })]),
      ).rejects.toThrow('spec.http[1].headers[0].value: the stars stand for a secret');
      expect(placesOf(await opened()).has('hu5h')).toBe(true);
      const renamed = { ...entry, name: '*** new', description: '***', password: STARS };
      await byPerson(change, [id, JSON.stringify({ http: [renamed] })]);
      expect(placesOf(await opened()).has('hu5h')).toBe(true);
      await expect(
        byPerson(`insert into connections (name, type, password) values ('c', $1, '***')`, ['http']),
      ).rejects.toThrow('password: the stars stand for a secret');
      await expect(
        byPerson(
          `insert into notifications (name, events, custom_services) values ('n', '{check.failed}', $1::jsonb)`,
          [JSON.stringify([{ url: 'slack://***@chan' }])],
        ),
      ).rejects.toThrow('custom_services[0].url: the stars');
      // Of another server's rows, and of an agent's, only the stars are known here.
      await db.run(change, [id, JSON.stringify({ http: [added] })]);
    });

    it.each([
      [
        'the fields that its template is filled in from',
        {
          http: [
            {
              name: 'a',
              labels: { host: 'a' },
              url: 'https://{{.labels.host}}.example',
              password: { value: 'hu5h' },
            },
          ],
        },
        {
          http: [
            { name: 'a', labels: { host: 'evil' }, url: 'https://{{.labels.host}}.example', password: STARS },
          ],
        },
      ],
      [
        'whatever stands in the field that has it, too',
        {
          components: [
            { properties: [{ lookup: { http: [{ url: 'https://a', password: { value: 'hu5h' } }] } }] },
          ],
        },
        { components: [{ properties: [{ lookup: { http: [{ url: 'https://evil', password: STARS }] } }] }] },
      ],
      [
        'the actions that a variable is used in',
        { env: [{ name: 'token', value: 'hu5h' }], actions: [{ http: { url: 'https://a/$(token)' } }] },
        { env: [{ name: 'token', value: '***' }], actions: [{ http: { url: 'https://evil/$(token)' } }] },
      ],
    ])('belongs to %s', async (_what, before, after) => {
      await write(before);
      expect(JSON.stringify(await opened())).toContain('hu5h');
      await write(after);
      expect(JSON.stringify(await opened())).not.toContain('hu5h');
      await write(before);
      await write(after, true);
      expect(JSON.stringify(await opened())).toContain('hu5h');
    });
  });
});
