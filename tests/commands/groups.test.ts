/**
 * Commands of many devices that come at once are carried out together, and nobody can tell: outcomes and rows are
 * those of one command after the other, whatever becomes of the others, and however the group ends (design §4 law 4).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database, Queryable } from '../../server/platform/db/database.ts';
import { DatabaseError } from '../../server/platform/db/database-error.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import type { CommandAnswer, CommandEnvelope } from '../../src/contract/sync.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { id, openDevice } from './support/command-device.ts';
import type { CommandDevice, Draft } from './support/command-device.ts';
import { DEADLOCK_TITLE, failDeadlocks } from './support/deadlock-query.ts';
import { addComment, addHypothesis, createIncident, editIncident } from './support/incident-drafts.ts';

/** Transactions of the command endpoint, and one of them that is to break. */
interface Watch {
  commandTransactions: number;
  /**
   * Statements of the next group until the connection is lost; 'commit': after it has committed; 'every group': so that
   * everything is done one by one.
   */
  breaksAt: number | 'commit' | 'every group' | null;
}

const lost = () =>
  new DatabaseError({
    sqlState: '08006',
    message: 'the connection was lost',
    detail: null,
    hint: null,
    constraint: null,
    table: null,
    column: null,
  });

/** The same database, with the transactions of commands counted and one of them broken. */
function watched(db: Database, watch: Watch): Database {
  const observe = (tx: Queryable): Queryable => {
    let left: number | null = null;
    const step = (sql: string) => {
      if (watch.breaksAt === 'every group' && sql.includes('lock_timeout')) throw lost();
      if (sql.includes('insert into command_devices')) {
        watch.commandTransactions += 1;
        if (typeof watch.breaksAt === 'number') left = watch.breaksAt;
      }
      if (left === null) return;
      if (left === 0) {
        watch.breaksAt = null;
        throw lost();
      }
      left -= 1;
    };
    return {
      async rows(row, sql, params) {
        step(sql);
        return tx.rows(row, sql, params);
      },
      async text(sql, params) {
        step(sql);
        return tx.text(sql, params);
      },
      async run(sql, params) {
        step(sql);
        return tx.run(sql, params);
      },
      script: (sql) => tx.script(sql),
    };
  };
  return {
    ...db,
    async transaction(work) {
      const before = watch.commandTransactions;
      const result = await db.transaction((tx) => work(observe(tx)));
      if (watch.breaksAt === 'commit' && watch.commandTransactions > before) {
        watch.breaksAt = null;
        throw lost();
      }
      return result;
    },
  };
}

type Step = 'comment' | 'blank' | 'edit' | 'stale' | 'hypothesis' | 'fault' | 'unknown' | 'repeat' | 'gap';
const STEPS: readonly Step[] = [
  ...(['comment', 'blank', 'edit', 'stale', 'hypothesis', 'fault', 'unknown', 'repeat', 'gap'] as const),
];

/** A device's commands about an incident of its own; the same steps make the same commands but for their ids. */
function script(device: CommandDevice, steps: readonly Step[]) {
  const ids = { incidentId: id(), rootId: id() };
  const commands: CommandEnvelope[] = device.number(createIncident(ids, 'first'));
  const drafts: Record<Exclude<Step, 'repeat' | 'gap'>, (at: number) => Draft> = {
    comment: (at) => addComment(ids, id(), `comment ${at}`),
    blank: () => addComment(ids, id(), ' '),
    edit: () => editIncident(ids.incidentId, { severity: 'High' }, { severity: 'Low' }),
    stale: () => editIncident(ids.incidentId, { title: 'mine' }, { title: 'never was' }),
    hypothesis: () => addHypothesis(ids, id()),
    fault: () => ({
      name: 'create_hypothesis',
      args: { id: id(), incidentId: ids.incidentId, title: DEADLOCK_TITLE },
    }),
    unknown: () => ({ name: 'no_such_command', args: {} }),
  };
  for (const [at, step] of steps.entries()) {
    const last = commands.at(-1);
    if (step === 'repeat') commands.push(...(last === undefined ? [] : [last]));
    else if (step === 'gap') device.number(addComment(ids, id()));
    else commands.push(...device.number(drafts[step](at)));
  }
  return { incidentId: ids.incidentId, commands };
}

/** What an answer says, but for ids and the place in the log. */
function said({ results, expectedSeq, isOutOfOrder }: CommandAnswer) {
  const outcomes = results.map(({ seq, outcome }) => {
    if (outcome.kind === 'applied') return { seq, kind: 'applied' };
    return { seq, ...outcome };
  });
  return { outcomes, expectedSeq, isOutOfOrder };
}

forEachDatabase((name, openDatabase) => {
  const watch: Watch = { commandTransactions: 0, breaksAt: null };
  let server: TestServer;
  let people: CommandDevice[];

  beforeAll(async () => {
    const db = await openDatabase();
    server = await startTestServer(watched(db, watch));
    people = [await openDevice(server, 'responder'), await openDevice(server, 'admin')];
    await failDeadlocks(db);
  });
  afterAll(() => server.stop());
  beforeEach(() => Object.assign(watch, { commandTransactions: 0, breaksAt: null }));

  const device = (at: number): CommandDevice => {
    const person = people[at % people.length];
    if (person === undefined) throw new Error('nobody is signed in');
    return person.twin();
  };
  const rowsOf = async (incidentId: string) => {
    const read = (sql: string) => server.db.rows(z.unknown(), sql, [incidentId]);
    return [
      await read('select title, severity, status from incidents where id = $1'),
      await read('select comment from comments where incident_id = $1 order by created_at'),
      await read('select title, type from hypotheses where incident_id = $1 order by created_at'),
      await read('select type from incident_histories where incident_id = $1 order by created_at'),
    ];
  };

  test('batches of many devices that come at once share transactions', async () => {
    const sent = Array.from({ length: 12 }, (_, at) => {
      const sender = device(at);
      return { sender, ...script(sender, ['comment', 'comment', 'comment']) };
    });
    const answers = await Promise.all(sent.map(({ sender, commands }) => sender.answer(commands)));
    for (const { results } of answers)
      expect(results.map(({ outcome }) => outcome.kind)).toEqual(Array(4).fill('applied'));
    expect(watch.commandTransactions).toBeLessThan(12);
  });

  test('a group answers and leaves what one command after the other does', async () => {
    const scripts = fc.array(fc.array(fc.constantFrom(...STEPS), { maxLength: 6 }), {
      minLength: 2,
      maxLength: 5,
    });
    const property = fc.asyncProperty(scripts, async (all) => {
      const grouped = all.map((steps, at) => ({ sender: device(at), steps }));
      const made = grouped.map(({ sender, steps }) => ({ sender, ...script(sender, steps) }));
      const answers = await Promise.all(made.map(({ sender, commands }) => sender.answer(commands)));
      for (const [at, { steps }] of grouped.entries()) {
        const alone = device(at);
        const { incidentId, commands } = script(alone, steps);
        watch.breaksAt = 'every group';
        const expected = await alone.answer(commands);
        watch.breaksAt = null;
        expect(answers[at] && said(answers[at])).toEqual(said(expected));
        expect(await rowsOf(made[at]?.incidentId ?? '')).toEqual(await rowsOf(incidentId));
      }
    });
    await fc.assert(property, { numRuns: name === 'pglite' ? 8 : 12, seed: 15 });
  });

  test('a group whose connection is lost anywhere is one effect each', async () => {
    const breaks = fc.oneof(fc.nat(40), fc.constant('commit' as const));
    const property = fc.asyncProperty(breaks, async (breaksAt) => {
      const sent = Array.from({ length: 4 }, (_, at) => {
        const sender = device(at);
        return { sender, ...script(sender, ['comment', 'stale']) };
      });
      watch.breaksAt = breaksAt;
      const first = await Promise.all(sent.map(({ sender, commands }) => sender.answer(commands)));
      watch.breaksAt = null;
      for (const [at, { sender, commands, incidentId }] of sent.entries()) {
        const again = await sender.answer(commands);
        expect(again.results).toEqual(first[at]?.results);
        expect(again.results.map(({ outcome }) => outcome.kind)).toEqual(['applied', 'applied', 'refused']);
        const [incidents, comments] = await rowsOf(incidentId);
        expect(incidents).toMatchObject([{ title: 'first' }]);
        expect(comments).toEqual([{ comment: 'comment 0' }]);
      }
    });
    await fc.assert(property, { numRuns: 10, seed: 15 });
  });
});
