/** Definitions of done on real rows: scripts are evaluated, results kept, incidents moved on by what came of them. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { IncidentSetting } from '../testing/incident-setting-query.ts';

const MINUTE_MS = 60_000;

forEachDatabase((_kind, open) => {
  let on: IncidentSetting;

  beforeAll(async () => {
    on = new IncidentSetting(await open());
  });
  afterEach(() => on.clear());

  const status = async () => (await on.incidents()).map((incident) => incident.status);
  const result = async (evidence: Record<string, unknown>) => {
    const { evidenceId } = await on.incidentOf(evidence);
    await on.settle();
    return on.evidence(evidenceId);
  };

  describe('a script', () => {
    test('sees its component, check, config with its document, insight, incident and evidence', async () => {
      const config_id = await on.config('api', 'warning');
      const component_id = await on.component('shop');
      const check_id = await on.check('ping');
      const config_analysis_id = await on.db.text(
        `insert into config_analysis (config_id, analyzer, severity, first_observed)
         values ($1, 'cis', 'high', now() - interval '2 hours') returning id::text`,
        [config_id],
      );
      const said = await result({
        config_id,
        component_id,
        check_id,
        config_analysis_id,
        script: `config.config.replicas == 3 && config.health == "warning" && component.name == "shop"
          && check.status == "healthy" && analysis.severity == "high" && analysis.age > duration("1h")
          && analysis.age < duration("3h") && incident.status == "open" && evidence.description == "evidence"`,
      });
      expect(said).toEqual({ done: true, script_result: 'true' });
    });

    test("knows for how long a check is as it is: its status' age", async () => {
      const check_id = await on.check('ping', 'unhealthy');
      await on.checkIs(check_id, 'healthy');
      const script = 'check.status == "healthy" && check.age > duration("10m")';
      const { evidenceId } = await on.incidentOf({ check_id, script });
      await on.settle();
      expect(await on.evidence(evidenceId)).toMatchObject({ done: false });
      on.advance(11 * MINUTE_MS);
      await on.settle();
      expect(await on.evidence(evidenceId)).toMatchObject({ done: true });
      expect(await status()).toEqual(['resolved']);
    });

    test('that gives a text leaves done as it was and keeps the text', async () => {
      const config_id = await on.config('api');
      const script = '"replicas: " + string(config.config.replicas)';
      expect(await result({ config_id, script })).toEqual({ done: null, script_result: 'replicas: 3' });
    });

    test('that fails keeps why, and what is done stays as it was', async () => {
      const component_id = await on.component('shop');
      const failed = await result({ component_id, script: 'component.nmae == "shop"' });
      expect(failed?.done).toBeNull();
      expect(failed?.script_result).toMatch(/^error: .*nmae/);
      expect(await result({ component_id, done: true, script: '1 +' })).toMatchObject({
        done: true,
        script_result: expect.stringMatching(/^error: /) as string,
      });
    });

    test('that is slow holds up its own incident, not the others', async () => {
      const component_id = await on.component('shop');
      const slow = await on.incidentOf({ component_id, script: 'true' });
      const [hypothesis] = await on.db.rows(
        z.custom<{ id: string }>(),
        'select hypothesis_id as id from evidences where id = $1',
        [slow.evidenceId],
      );
      for (let place = 0; place < 9; place += 1) {
        await on.evidenceOn(hypothesis?.id ?? '', { component_id, script: 'true' });
      }
      const other = await on.incidentOf({ component_id, script: 'true' });
      // Every look at the clock is three seconds later than the last.
      await on.openService(() => on.advance(3000)).runOnce();
      const left = await on.db.rows(z.unknown(), 'select id from evidences where done is null');
      expect([left.length > 0, left.length < 10]).toEqual([true, true]);
      expect(await on.evidence(other.evidenceId)).toMatchObject({ done: true });
      const [job] = await on.db.rows(
        z.custom<{ details: { errors: string[] } }>(),
        `select details from job_history where name = 'DefinitionOfDone'`,
      );
      expect(job?.details.errors).toEqual([expect.stringContaining(slow.incidentId)]);
    });

    test('of a closed incident is not evaluated any more', async () => {
      const component_id = await on.component('shop');
      const { incidentId, evidenceId } = await on.incidentOf({
        component_id,
        script: 'true',
        definition_of_done: false,
      });
      await on.statusIs(incidentId, 'closed');
      await on.settle();
      expect(await on.evidence(evidenceId)).toEqual({ done: null, script_result: null });
    });
  });

  describe('a definition of done', () => {
    test('resolves its incident when all of it is done, comments by hand included', async () => {
      const component_id = await on.component('shop', 'unhealthy');
      const { evidenceId } = await on.incidentOf({ component_id, script: 'component.health == "healthy"' });
      const hypothesisId = await on.db.text('select hypothesis_id::text from evidences where id = $1', [
        evidenceId,
      ]);
      const comment = await on.evidenceOn(hypothesisId ?? '', { type: 'comment' });
      await on.componentIs(component_id, 'healthy');
      await on.settle();
      expect(await status()).toEqual(['open']);
      await on.doneByHand(comment, true);
      await on.settle();
      expect(await status()).toEqual(['resolved']);
      await on.doneByHand(comment, false);
      await on.settle();
      expect(await status()).toEqual(['open']);
    });

    test('that nothing is in resolves nothing', async () => {
      const component_id = await on.component('shop');
      await on.incidentOf({ component_id, script: 'true', definition_of_done: false });
      await on.settle();
      expect(await status()).toEqual(['open']);
    });

    test('leaves the last word to people: one opened again though done, one resolved though not', async () => {
      const component_id = await on.component('shop');
      const { incidentId } = await on.incidentOf({ component_id, script: 'component.health == "healthy"' });
      await on.settle();
      expect(await status()).toEqual(['resolved']);
      await on.statusIs(incidentId, 'open');
      on.advance(6 * MINUTE_MS);
      await on.settle();
      expect(await status()).toEqual(['open']);
      await on.componentIs(component_id, 'unhealthy');
      await on.settle();
      await on.statusIs(incidentId, 'resolved');
      on.advance(6 * MINUTE_MS);
      await on.settle();
      expect(await status()).toEqual(['resolved']);
    });

    test('that nobody can judge now stays as it was: done is not taken back, undone not finished', async () => {
      const check_id = await on.check('api', 'unhealthy');
      const script = 'check.status == "healthy" || check.deleted_at != null';
      const { evidenceId } = await on.incidentOf({ check_id, script });
      await on.checkIs(check_id, null);
      await on.settle();
      expect(await on.evidence(evidenceId)).toMatchObject({
        done: null,
        script_result: expect.stringContaining('unknown') as string,
      });
      expect(await status()).toEqual(['open']);
      await on.checkIs(check_id, 'healthy');
      await on.settle();
      expect(await status()).toEqual(['resolved']);
      await on.checkIs(check_id, null);
      await on.settle();
      expect(await on.evidence(evidenceId)).toMatchObject({ done: true });
      expect(await status()).toEqual(['resolved']);
      await on.checkIs(check_id, 'unhealthy');
      await on.settle();
      expect(await on.evidence(evidenceId)).toMatchObject({ done: false });
      expect(await status()).toEqual(['open']);
      // What it asks has nothing to do with how its subject is.
      const config_id = await on.config('plan', 'unknown');
      const plain = await on.incidentOf({ config_id, script: 'config.config.replicas == 4' });
      await on.settle();
      expect(await on.evidence(plain.evidenceId)).toMatchObject({ done: false, script_result: 'false' });
    });

    test('is evaluated every five minutes also when nothing seems to have changed', async () => {
      const component_id = await on.component('shop', 'unhealthy');
      const script = 'component.health == "healthy"';
      const { evidenceId } = await on.incidentOf({ component_id, script });
      await on.settle();
      await on.componentIs(component_id, 'healthy');
      // As when the server that had taken the news was killed before it acted on it.
      await on.db.run('delete from incident_wakes');
      await on.settle();
      expect(await on.evidence(evidenceId)).toMatchObject({ done: false });
      on.advance(6 * MINUTE_MS);
      await on.settle();
      expect(await on.evidence(evidenceId)).toMatchObject({ done: true });
    });

    test('whose script asks for the status of its own incident comes to rest', async () => {
      const component_id = await on.component('shop');
      await on.incidentOf({ component_id, script: 'incident.status == "open"' });
      await on.settle();
      expect(await status()).toEqual(['resolved']);
    });

    test('writes nothing while nothing changes', async () => {
      const component_id = await on.component('shop');
      await on.incidentOf({ component_id, script: '"v" + component.name' });
      await on.settle();
      const updated = () => on.db.text('select updated_at::text from evidences');
      const before = await updated();
      on.advance(6 * MINUTE_MS);
      await on.settle();
      expect(await updated()).toBe(before);
    });

    test('costs a round that looks at everything no transaction while nothing changes', async () => {
      let count = 0;
      const counting: Database = {
        ...on.db,
        transaction: (work) => {
          count += 1;
          return on.db.transaction(work);
        },
      };
      const wholeRound = async () => {
        await on.settle();
        on.advance(6 * MINUTE_MS);
        count = 0;
        await on.openService(undefined, counting).runOnce();
        return count;
      };
      const component_id = await on.component('shop');
      await on.incidentOf({ component_id, done: false });
      const ofOne = await wholeRound();
      for (let place = 0; place < 5; place += 1) await on.incidentOf({ component_id, done: false });
      expect(await wholeRound()).toBe(ofOne);
    });
  });
});
