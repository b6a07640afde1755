/** What the specification forbids, written past every check of ours, on both databases. */
import fc from 'fast-check';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  EVIDENCE_TYPES,
  HYPOTHESIS_STATUSES,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
  mayBecome,
} from '../../../../src/domain/incident/incident.ts';
import { decideTableAccess } from '../../../access/policies/table-areas.ts';
import { actAs } from '../act-as-query.ts';
import type { Database, Queryable } from '../database.ts';
import { migrate } from '../migrate.ts';
import { forEachDatabase, openEmptyDatabase } from '../test-databases.ts';
import { readMigrations } from '../migration-files.ts';

vi.setConfig({ testTimeout: 120_000 });

const REFUSED = { sqlState: '23514' };
const FORBIDDEN = { sqlState: '42501' };
const silent = pino({ level: 'silent' });

const personOf = async (db: Queryable, name: string, type: string | null = null) =>
  (await db.text('insert into people (name, type) values ($1, $2) returning id::text', [name, type])) ?? '';

interface IncidentFields {
  title?: string;
  status?: string;
  severity?: string;
  type?: string;
}

forEachDatabase((name, openDatabase) => {
  let db: Database;
  let ada: string;
  let bob: string;

  const addIncident = async (by: string, fields: IncidentFields = {}, on: Queryable = db) => {
    const { title = 'Slow', status = 'open', severity = 'low', type = 'availability' } = fields;
    const id = await on.text(
      `insert into incidents (title, status, severity, type, description, created_by)
       values ($2, $3, $4, $5, '', $1) returning id::text`,
      [by, title, status, severity, type],
    );
    return id ?? '';
  };
  const setIncident = (id: string, column: string, value: string) =>
    db.run(`update incidents set ${column} = $2 where id = $1`, [id, value]);
  const readIncident = async (id: string) =>
    (
      await db.rows(
        z.custom<Required<IncidentFields>>(),
        'select title, status, severity, type from incidents where id = $1',
        [id],
      )
    )[0];
  const asPerson = <T>(person: string, work: (tx: Queryable) => Promise<T>) =>
    db.transaction(async (tx) => {
      await actAs(tx, person);
      return work(tx);
    });

  beforeAll(async () => {
    db = await openDatabase();
    ada = await personOf(db, 'Ada');
    bob = await personOf(db, 'Bob');
  });

  describe('an incident', () => {
    it('goes from status to status as the domain says, over all pairs', async () => {
      for (const from of [...INCIDENT_STATUSES, 'cancelled']) {
        for (const to of [...INCIDENT_STATUSES, 'cancelled']) {
          const id = await addIncident(ada, { status: from });
          const changed = await setIncident(id, 'status', to).then(
            () => true,
            () => false,
          );
          expect([from, to, changed]).toEqual([from, to, mayBecome(from, to)]);
          expect((await readIncident(id))?.status).toBe(changed ? to : from);
        }
      }
    });

    it('has a title, and words that its columns know, in small letters', async () => {
      const words = { status: INCIDENT_STATUSES, severity: INCIDENT_SEVERITIES, type: INCIDENT_TYPES };
      for (const [column, known] of Object.entries(words)) {
        for (const word of known) {
          const id = await addIncident(ada, { [column]: word.toUpperCase() });
          expect(await readIncident(id)).toMatchObject({ [column]: word });
        }
        await expect(addIncident(ada, { [column]: 'bogus' })).rejects.toMatchObject(REFUSED);
        await expect(setIncident(await addIncident(ada), column, 'bogus')).rejects.toMatchObject(REFUSED);
      }
      expect(await readIncident(await addIncident(ada, { type: 'technical_debt' }))).toMatchObject({
        type: 'technicalDebt',
      });
      for (const empty of ['', '  ']) {
        await expect(addIncident(ada, { title: empty })).rejects.toMatchObject(REFUSED);
        await expect(setIncident(await addIncident(ada), 'title', empty)).rejects.toMatchObject(REFUSED);
      }
    });

    it('tells in its history who changed its status, not who made it', async () => {
      const id = await addIncident(ada);
      await asPerson(bob, (tx) => tx.run("update incidents set status = 'closed' where id = $1", [id]));
      const told = await db.rows(
        z.unknown(),
        'select type, created_by from incident_histories where incident_id = $1 order by id',
        [id],
      );
      expect(told).toEqual([
        { type: 'incident.created', created_by: ada },
        { type: 'incident.status_updated', created_by: bob },
      ]);
    });
  });

  it('hypotheses, evidences and findings have words that their columns know', async () => {
    const incident = await addIncident(ada);
    const hypothesis = (title: string, status: string) =>
      db.text(
        `insert into hypotheses (incident_id, type, title, status, created_by) values ($1, 'root', $2, $3, $4)
         returning id::text`,
        [incident, title, status, ada],
      );
    const root = (await hypothesis('Root', 'Possible')) ?? '';
    for (const status of HYPOTHESIS_STATUSES) {
      await db.run('update hypotheses set status = $2 where id = $1', [root, status]);
    }
    await expect(hypothesis('Root', 'bogus')).rejects.toMatchObject(REFUSED);
    await expect(hypothesis(' ', 'likely')).rejects.toMatchObject(REFUSED);
    const evidence = (type: string) =>
      db.run(`insert into evidences (hypothesis_id, type, description, created_by) values ($1, $2, '', $3)`, [
        root,
        type,
        ada,
      ]);
    for (const type of EVIDENCE_TYPES) await evidence(type);
    await expect(evidence('bogus')).rejects.toMatchObject(REFUSED);
  });

  it('severities of changes and findings are small letters, in whatever case they come', async () => {
    const item = await db.text(
      `insert into config_items (name, type, config_class, config) values ('a', 'A', 'A', '{}') returning id::text`,
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('High', 'CRITICAL', 'low', 'mEdium'), async (severity) => {
        const stored = await db.rows(
          z.custom<{ severity: string }>(),
          `insert into config_changes (config_id, change_type, severity) values ($1, 'diff', $2) returning severity`,
          [item, severity],
        );
        const found = await db.rows(
          z.custom<{ severity: string }>(),
          `insert into config_analysis (config_id, analyzer, severity) values ($1, 'x', $2) returning severity`,
          [item, severity],
        );
        expect([...stored, ...found].map((row) => row.severity)).toEqual(
          Array(2).fill(severity.toLowerCase()),
        );
      }),
      { numRuns: 8 },
    );
  });

  describe('the author', () => {
    it('is guarded in every table that the data API writes and that names one', async () => {
      const tables = await db.rows(
        z.custom<{ name: string; is_guarded: boolean }>(),
        `select tab.relname as name, exists (
           select from pg_trigger where tgrelid = tab.oid and tgname = 'keep_author') as is_guarded
         from pg_class as tab join pg_attribute as col on col.attrelid = tab.oid and col.attname = 'created_by'
         where tab.relkind = 'r' and tab.relnamespace = 'public'::regnamespace`,
      );
      const written = tables.filter(
        (table) =>
          table.name !== 'incident_histories' &&
          decideTableAccess(table.name, 'POST', ['admin']).kind === 'allowed',
      );
      expect(written.length).toBeGreaterThan(10);
      expect(written.filter((table) => !table.is_guarded)).toEqual([]);
    });

    it('is who sends: named, left out, and never somebody else, then or later', async () => {
      const canary = (tx: Queryable, by: string | null) =>
        tx.text(
          `insert into canaries (name, namespace, spec, created_by)
           values ($1, 'default', '{}', $2) returning id::text || ' ' || created_by::text`,
          [`c${Math.random()}`, by],
        );
      expect(await asPerson(ada, (tx) => canary(tx, ada))).toContain(ada);
      const [id = ''] = ((await asPerson(ada, (tx) => canary(tx, null))) ?? '').split(' ');
      const stored = await db.text('select created_by::text from canaries where id = $1', [id]);
      expect(stored).toBe(ada);
      await expect(asPerson(ada, (tx) => canary(tx, bob))).rejects.toMatchObject(FORBIDDEN);
      const take = (tx: Queryable, by: string) =>
        tx.run('update canaries set created_by = $2 where id = $1', [id, by]);
      await expect(asPerson(bob, (tx) => take(tx, bob))).rejects.toMatchObject(FORBIDDEN);
      await asPerson(bob, (tx) => take(tx, ada));
      // The server's own work speaks for whom it is done.
      expect(await canary(db, bob)).toContain(bob);
    });

    it('of an approval is who approves', async () => {
      const run = await db.text(
        `with made as (insert into playbooks (name, spec, source) values ('p', '{}', 'UI') returning id)
         insert into playbook_runs (playbook_id) select id from made returning id::text`,
      );
      const approve = (tx: Queryable, person: string) =>
        tx.run('insert into playbook_approvals (run_id, person_id) values ($1, $2)', [run, person]);
      await expect(asPerson(ada, (tx) => approve(tx, bob))).rejects.toMatchObject(FORBIDDEN);
      await asPerson(ada, (tx) => approve(tx, ada));
    });
  });

  it('an agent has the account of an agent, which only the server gives it', async () => {
    const account = await personOf(db, 'agent-1', 'agent');
    const addAgent = (tx: Queryable, person: string | null) =>
      tx.run('insert into agents (name, person_id) values ($1, $2)', [`a${Math.random()}`, person]);
    await expect(addAgent(db, ada)).rejects.toMatchObject(REFUSED);
    await addAgent(db, account);
    await asPerson(ada, (tx) => addAgent(tx, null));
    await expect(asPerson(ada, (tx) => addAgent(tx, account))).rejects.toMatchObject(FORBIDDEN);
    await expect(
      asPerson(ada, (tx) => tx.run('update agents set person_id = $1 where person_id is null', [account])),
    ).rejects.toMatchObject(FORBIDDEN);
  });

  it('rows that broke a rule before stay, and can be changed otherwise', async () => {
    const old = await openEmptyDatabase(name);
    try {
      const before = readMigrations().findIndex((migration) => migration.name.startsWith('0022'));
      await migrate(old, silent, readMigrations().slice(0, before));
      const person = await personOf(old, 'Ada');
      const id = await addIncident(
        person,
        { title: '', status: 'bogus', severity: 'Blocker', type: 'x' },
        old,
      );
      await migrate(old, silent);
      await old.run(`update incidents set description = 'seen' where id = $1`, [id]);
      const [row] = await old.rows(z.unknown(), 'select title, status, severity, type from incidents');
      expect(row).toEqual({ title: '', status: 'bogus', severity: 'blocker', type: 'x' });
      await old.run(`update incidents set status = 'open' where id = $1`, [id]);
    } finally {
      await old.close();
    }
  });
});
