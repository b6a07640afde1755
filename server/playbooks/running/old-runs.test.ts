/** Runs that earlier versions, or other servers, wrote: their passwords and their agents (migrations 0107 and 0115). */
import { beforeAll, describe, expect, it } from 'vitest';
import { createSealer } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/db/database.ts';
import { readMigrations } from '../../platform/db/migration-files.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { hidePasswords } from './secrets/hide-passwords.ts';
import { readDueRun } from './run-query.ts';
import { openGiven } from './secrets/run-secrets.ts';

const PASSWORD = 'tYped-p4ssword-0815';
const SPEC = {
  parameters: [{ name: 'secret', properties: { format: 'password' } }, { name: 'who' }],
  actions: [{ name: 'use', exec: { script: 'true' } }],
};

forEachDatabase((_kind, open) => {
  describe('runs from earlier versions', () => {
    const sealer = createSealer(Buffer.alloc(32, 7), nodePlatform);
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });

    const idOf = async (sql: string, params: unknown[]) => {
      const [row] = await db.rows(idRow, `${sql} returning id`, params as string[]);
      return row?.id ?? '';
    };
    const addPlaybook = (name: string) =>
      idOf(`insert into playbooks (name, spec, source) values ($1, $2::jsonb, 'UI')`, [
        name,
        JSON.stringify(SPEC),
      ]);

    /** As it was written before: in clear, also where actions and the item's changes repeat it. */
    async function addRun(playbook: string, status: string, spec: object = SPEC): Promise<string> {
      const config = await idOf(
        `insert into config_items (name, type, config_class, external_id) values ($1, 'T', 'T', array[$1])`,
        [`${playbook} ${status}`],
      );
      const run = await idOf(
        `insert into playbook_runs (playbook_id, status, config_id, spec, parameters, request, error)
         values ($1, $2, $3, $4::jsonb, $5::jsonb, $6::jsonb, $7)`,
        [
          playbook,
          status,
          config,
          JSON.stringify(spec),
          JSON.stringify({ secret: PASSWORD, who: 'me' }),
          JSON.stringify({ body: { token: PASSWORD } }),
          `could not use ${PASSWORD}`,
        ],
      );
      const action = await idOf(
        `insert into playbook_run_actions (playbook_run_id, name, status, error, result)
         values ($1, 'use', 'failed', $2, $3::jsonb)`,
        [run, `no ${PASSWORD}`, JSON.stringify({ stdout: `it is ${PASSWORD} me`, exitCode: 1 })],
      );
      await db.run(
        `insert into playbook_action_outputs (run_id, action_id, stream, content) values ($1, $2, 'stdout', $3)`,
        [run, action, `it is ${PASSWORD} me`],
      );
      await db.run(
        `insert into config_changes (config_id, external_change_id, change_type, source, details)
         values ($1, $2, 'PlaybookScheduled', 'Playbook', $3::jsonb)`,
        [config, run, JSON.stringify({ run_id: run, parameters: { secret: PASSWORD, who: 'me' } })],
      );
      return run;
    }
    const countWith = async () => {
      const found: string[] = [];
      for (const table of [
        'playbook_runs',
        'playbook_run_actions',
        'playbook_action_outputs',
        'config_changes',
      ])
        if (
          (await db.text(`select count(*)::text from ${table} as t where t::text like $1`, [
            `%${PASSWORD}%`,
          ])) !== '0'
        )
          found.push(table);
      return found;
    };

    it('their passwords are hidden wherever they stand; what is no password stays', async () => {
      const playbook = await addPlaybook('over');
      const run = await addRun(playbook, 'completed');
      // Of one that was brought in without its specification, the playbook's says which are passwords.
      await addRun(await addPlaybook('brought in'), 'failed', {});
      expect(await countWith()).toHaveLength(4);
      await db.text('select note_clear_passwords()::text');
      expect(await hidePasswords({ db, sealer })).toBe(2);
      expect(await countWith()).toEqual([]);
      expect(
        JSON.parse((await db.text('select parameters::text from playbook_runs where id = $1', [run])) ?? ''),
      ).toEqual({
        secret: '***',
        who: 'me',
      });
      expect(
        await db.text('select result ->> $2 from playbook_run_actions where playbook_run_id = $1', [
          run,
          'stdout',
        ]),
      ).toBe('it is *** me');
      expect(await hidePasswords({ db, sealer })).toBe(0);
      expect(await db.text('select note_clear_passwords()::text')).toBe('0');
    });

    it('one that goes on keeps its password, sealed', async () => {
      const run = await addRun(await addPlaybook('goes on'), 'scheduled');
      await db.run('insert into playbook_run_states (run_id) values ($1)', [run]);
      await db.text('select note_clear_passwords()::text');
      expect(await hidePasswords({ db, sealer })).toBe(1);
      const due = await readDueRun(db, run);
      expect(due?.parameters).toEqual({ secret: '***', who: 'me' });
      expect(due?.request).toEqual({ body: { token: '***' } });
      expect(due === null ? null : openGiven(due, sealer)).toEqual({
        parameters: { secret: PASSWORD, who: 'me' },
        request: { body: { token: PASSWORD } },
      });
    });

    it('are their first agent’s', async () => {
      const agent = (name: string) => idOf('insert into agents (name) values ($1)', [name]);
      const [first, second] = [await agent('first'), await agent('second')];
      const playbook = await addPlaybook('of agents');
      const addOld = async (...agents: (string | null)[]) => {
        const run = await idOf('insert into playbook_runs (playbook_id) values ($1)', [playbook]);
        for (const [at, one] of agents.entries())
          await db.run(
            `insert into playbook_run_actions (playbook_run_id, name, agent_id, scheduled_time)
             values ($1, 'a', coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'), now() + $3::integer * interval '1 s')`,
            [run, one, at],
          );
        return run;
      };
      const [there, here] = [await addOld(null, first, second), await addOld(null)];
      const up = readMigrations().find(({ name }) => name === '0115-runs-of-agents')?.up ?? '';
      await db.script(up);
      const agentOf = (run: string) =>
        db.text('select agent_id::text from playbook_runs where id = $1', [run]);
      expect([await agentOf(there), await agentOf(here)]).toEqual([
        first,
        '00000000-0000-0000-0000-000000000000',
      ]);
    });
  });
});
