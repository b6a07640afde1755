/** What signs in at a team's outside systems: kept apart from what everybody reads, on both databases. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';
import { exportData } from '../../../app/transfer/export-data.ts';
import { importData } from '../../../app/transfer/import-data.ts';

type Clients = Record<string, unknown>;

forEachDatabase((_name, openDatabase) => {
  describe('secrets of a team', () => {
    let db: Database;
    let team: string;

    beforeAll(async () => {
      db = await openDatabase();
    });
    beforeEach(async () => {
      const [row] = await db.rows(
        z.custom<{ id: string }>(),
        `insert into teams (name, spec, created_by)
         select 'ops', $1::jsonb, id from people where name = 'System' limit 1 returning id`,
        [JSON.stringify({ responder_clients: { jira: JIRA }, components: [{ name: 'x' }] })],
      );
      team = row?.id ?? '';
    });
    afterEach(async () => {
      await db.run('delete from teams');
      expect(await kept()).toEqual({});
    });

    const JIRA = {
      url: 'https://jira.example/x',
      username: 'bot',
      password: 'first-secret',
      defaults: { project: 'A' },
    };
    const SHOWN = { ...JIRA, password: '***' };
    const clients = async () =>
      (
        await db.rows(
          z.custom<{ clients: Clients }>(),
          `select spec -> 'responder_clients' as clients from teams`,
        )
      )[0]?.clients;
    const kept = async () => {
      const rows = await db.rows(
        z.custom<{ path: string; value: string }>(),
        'select path, value from team_secrets order by path',
      );
      return Object.fromEntries(rows.map(({ path, value }) => [path, value]));
    };
    const write = (changed: Clients) =>
      db.run(`update teams set spec = jsonb_set(spec, '{responder_clients}', $2::jsonb) where id = $1`, [
        team,
        JSON.stringify(changed),
      ]);

    it('leave the specification when they are written', async () => {
      expect(await clients()).toEqual({ jira: SHOWN });
      expect(await kept()).toEqual({ 'jira/password': 'first-secret' });
    });

    it('stay as they were where stars are sent back, and change where something else is', async () => {
      await write({ jira: { ...SHOWN, username: 'other' } });
      expect(await kept()).toEqual({ 'jira/password': 'first-secret' });
      await write({ jira: { ...SHOWN, password: 'second-secret' } });
      expect(await clients()).toEqual({ jira: SHOWN });
      expect(await kept()).toEqual({ 'jira/password': 'second-secret' });
    });

    it('are forgotten with their client, when emptied, and when they become a reference', async () => {
      await write({ jira: { ...SHOWN, password: 'secret://jira/password' } });
      expect([await clients(), await kept()]).toEqual([
        { jira: { ...JIRA, password: 'secret://jira/password' } },
        {},
      ]);
      await write({ jira: JIRA });
      await write({ jira: { ...SHOWN, password: '' } });
      expect(await kept()).toEqual({});
      await write({ jira: JIRA });
      await write({});
      expect(await kept()).toEqual({});
    });

    it('do not go along to another host, nor to another client', async () => {
      await write({ jira: { ...SHOWN, url: 'https://evil.example/x' } });
      expect(await kept()).toEqual({});
      await write({ jira: JIRA });
      await write({ jira: SHOWN, ca: { url: JIRA.url, password: '***' } });
      expect(await kept()).toEqual({ 'jira/password': 'first-secret' });
      // Another page of the same host is the same place, however it is spelled.
      await write({ jira: { ...SHOWN, url: 'https://JIRA.example/y' } });
      expect(await kept()).toEqual({ 'jira/password': 'first-secret' });
    });

    it('are found in addresses, below other fields and under every usual name', async () => {
      const literal = {
        url: 'https://u:in-the-url@ca.example/hook',
        accessKey: 'k1',
        tokens: ['k2'],
        headers: { Authorization: 'k3' },
        pin: { password: 12_345 },
      };
      await write({ ca: literal });
      expect(await clients()).toEqual({
        ca: {
          url: 'https://***@ca.example/hook',
          accessKey: '***',
          tokens: ['***'],
          headers: { Authorization: '***' },
          pin: { password: '***' },
        },
      });
      expect((await kept())['ca/url']).toBe(literal.url);
      await write((await clients()) ?? {});
      expect(await kept()).toMatchObject({ 'ca/url': literal.url, 'ca/pin/password': '12345' });
    });

    it('are in a data set only when asked for, and leave specifications that bring them along', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-teams-'));
      try {
        await exportData(db, { folder: join(folder, 'plain'), withSecrets: false });
        await exportData(db, { folder: join(folder, 'full'), withSecrets: true });
        const texts = async (name: string) => {
          const files = await readdir(join(folder, name));
          return (await Promise.all(files.map((file) => readFile(join(folder, name, file), 'utf8')))).join(
            '',
          );
        };
        expect(await texts('plain')).not.toContain('first-secret');
        expect(await texts('full')).toContain('first-secret');
        await db.run('delete from teams');
        const row = { id: team, name: 'ops', spec: { responder_clients: { jira: JIRA } } };
        const [author] = await db.rows(
          z.custom<{ id: string }>(),
          `select id from people where name = 'System' limit 1`,
        );
        const foreign = await mkdtemp(join(folder, 'foreign-'));
        await writeFile(join(foreign, 'teams.json'), JSON.stringify([{ ...row, created_by: author?.id }]));
        await importData(db, { folder: foreign, skipUnknown: false });
        expect(await clients()).toEqual({ jira: SHOWN });
        expect(await kept()).toEqual({ 'jira/password': 'first-secret' });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
});
