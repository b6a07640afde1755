/**
 * Everything of a team's spec that signs in somewhere is out of sight, by every way a reader could take, and stays
 * with the place it was entered for. On both databases.
 */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sealStored } from '../../../connections/keep-sealed.ts';
import { teamService } from '../../../notifications/delivery/service-query.ts';
import { createSealer } from '../../crypto/sealing.ts';
import { nodePlatform } from '../../platform.ts';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';
import { exportData } from '../../../app/transfer/export-data.ts';

const sealer = createSealer(Buffer.alloc(32, 1), nodePlatform);
/** In every secret below, so that one look finds any of them. */
const CANARY = 'cAnAry';
const SPEC = {
  components: [{ name: 'secret-service', types: ['Service'] }],
  slack_token: `xoxb-${CANARY}`,
  backends: { main: { address: `postgres://bot:${CANARY}@db.example/x` } },
  notifications: [
    { name: 'chat', url: `slack://xoxb:${CANARY}@channel`, filter: 'severity == "high"' },
    { name: 'desk/two', connection: 'connection://ops/desk', properties: { password: CANARY, room: '7' } },
    { url: `https://hooks.slack.com/services/${CANARY}` },
    `discord://${CANARY}@1`,
  ],
  responder_clients: {
    webhook: {
      url: `https://hooks.slack.com/services/${CANARY}`,
      linkUrl: 'https://x.example/?key={{external_id}}',
    },
    ca: { url: `HTTPS://u:${CANARY}@x@ca.example/hook?api_key=${CANARY}&page=2`, pwd: CANARY },
  },
};
const SHOWN = {
  components: SPEC.components,
  slack_token: '***',
  backends: { main: { address: 'postgres://***@db.example/x' } },
  notifications: [
    { name: 'chat', url: '***', filter: 'severity == "high"' },
    { name: 'desk/two', connection: 'connection://ops/desk', properties: { password: '***', room: '7' } },
    { url: '***' },
    '***',
  ],
  responder_clients: {
    webhook: { url: 'https://hooks.slack.com/***', linkUrl: 'https://x.example/?key={{external_id}}' },
    ca: { url: 'HTTPS://***@ca.example/hook?api_key=***&page=2', pwd: '***' },
  },
};

forEachDatabase((_name, openDatabase) => {
  describe('a team whose specification signs in', () => {
    let db: Database;
    let team: string;
    beforeAll(async () => {
      db = await openDatabase();
    });
    beforeEach(async () => {
      await db.run('delete from teams');
      const [row] = await db.rows(
        z.custom<{ id: string }>(),
        `insert into teams (name, spec, created_by)
         select 'ops', $1::jsonb, id from people where name = 'System' limit 1 returning id`,
        [JSON.stringify(SPEC)],
      );
      team = row?.id ?? '';
    });
    const spec = async () =>
      (await db.rows(z.custom<{ spec: typeof SPEC }>(), 'select spec from teams where id = $1', [team]))[0]
        ?.spec as typeof SPEC;
    const write = (changed: unknown) =>
      db.run('update teams set spec = $2::jsonb where id = $1', [team, JSON.stringify(changed)]);
    const kept = async () => {
      const rows = await db.rows(
        z.custom<{ path: string; value: string }>(),
        'select path, value from team_secrets where team_id = $1 order by path collate "C"',
        [team],
      );
      return Object.fromEntries(rows.map(({ path, value }) => [path, value]));
    };

    it('shows stars in their place, and keeps them where it is written back as it is shown', async () => {
      expect(await spec()).toEqual(SHOWN);
      const before = await kept();
      expect(Object.keys(before)).toHaveLength(9);
      await write(await spec());
      expect([await spec(), await kept()]).toEqual([SHOWN, before]);
    });

    it('shows none of them in any table or view, whoever reads it, nor in a data set', async () => {
      await write({ ...SPEC, icon: 'x' });
      const relations = await db.rows(
        z.custom<{ name: string }>(),
        `select relname as name from pg_class
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm') and relname <> 'team_secrets'`,
      );
      expect(relations.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['teams', 'feed_resources', 'change_log', 'event_queue', 'job_history']),
      );
      const showing: string[] = [];
      for (const { name } of relations) {
        const rows = await db.rows(
          z.unknown(),
          `select 1 from "${name}" as one where to_jsonb(one)::text like $1 limit 1`,
          [`%${CANARY}%`],
        );
        if (rows.length > 0) showing.push(name);
      }
      expect(showing).toEqual([]);
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-team-'));
      try {
        await exportData(db, { folder: join(folder, 'set'), withSecrets: false });
        const files = await readdir(join(folder, 'set'));
        for (const file of files)
          expect(await readFile(join(folder, 'set', file), 'utf8'), file).not.toContain(CANARY);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });

    it('keeps what is notified with its entry when entries change places or go', async () => {
      const shown = await spec();
      const before = await kept();
      await write({ ...shown, notifications: shown.notifications.toReversed() });
      expect(await kept()).toEqual(before);
      await write({ ...shown, notifications: shown.notifications.slice(1) });
      const { '~notifications:chat#1/secret-url': chat, ...others } = before;
      expect(chat).toContain(CANARY);
      expect(await kept()).toEqual(others);
    });

    it('keeps it with its entry under another name, sealed or not, and with no other', async () => {
      const shown = await spec();
      const [chat, desk, ...others] = shown.notifications;
      await sealStored(db, sealer);
      const renamed = [{ ...Object(chat), name: 'talk' }, { ...Object(desk), name: 'desk three' }, ...others];
      await write({ ...shown, notifications: renamed });
      const opened = await Promise.all([0, 1, 2, 3].map((at) => teamService(db, sealer, { id: team, at })));
      expect(opened).toEqual([
        { ...Object(SPEC.notifications[0]), name: 'talk' },
        { ...Object(SPEC.notifications[1]), name: 'desk three' },
        ...SPEC.notifications.slice(2),
      ]);
      // Two that look alike under new names could be either.
      const two = { name: 'one', url: `slack://a:${CANARY}@b` };
      await write({ ...shown, notifications: [two, { ...two, name: 'two' }] });
      const stars = { url: '***' };
      await write({ ...shown, notifications: ['three', 'four'].map((name) => ({ name, ...stars })) });
      expect(await teamService(db, sealer, { id: team, at: 0 })).toEqual({ name: 'three', url: null });
    });

    it('does not give a password on to another address of the same entry', async () => {
      const shown = await spec();
      const [, desk] = shown.notifications;
      await write({ ...shown, notifications: [{ ...Object(desk), connection: 'connection://evil/desk' }] });
      expect(Object.keys(await kept())).not.toContain('~notifications:desk|two#1/properties/password');
    });

    it.each([
      'https://evil.example#@ca.example/hook',
      'https://evil.example?@ca.example/hook',
      'https://evil.example\\@ca.example/hook',
      'https://evil.example/@ca.example/hook',
      'https:\\\\evil.example',
      'https://ca.example\\.evil.example/',
      'https://ca.example:444/hook',
      ' https://evil.example',
      '',
    ])('does not give a client’s password on to %s', async (url) => {
      const shown = await spec();
      await write({ ...shown, responder_clients: { ca: { url, pwd: '***' } } });
      expect(Object.keys(await kept())).not.toContain('ca/pwd');
    });

    it('is no trouble where it is no object, or has none', async () => {
      for (const odd of [
        null,
        [],
        'x',
        { notifications: {} },
        { notifications: [null, 1, {}], responder_clients: [] },
      ]) {
        await write(odd);
        expect(await spec()).toEqual(odd);
      }
      expect(await kept()).toEqual({});
    });
  });
});
