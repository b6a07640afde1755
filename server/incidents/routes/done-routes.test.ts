/** Over HTTP: trying a script, asking for an evaluation, and saving rules that can or can't be read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { id, openDevice } from '../../../tests/commands/support/command-device.ts';
import type { CommandDevice } from '../../../tests/commands/support/command-device.ts';
import { newIncident } from '../../../tests/commands/support/incident-drafts.ts';
import { openTestBrowser } from '../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { IncidentSetting } from '../testing/incident-setting-query.ts';

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let device: CommandDevice;
  let on: IncidentSetting;

  beforeAll(async () => {
    const db = await openDatabase();
    on = new IncidentSetting(db);
    server = await startTestServer(db);
    device = await openDevice(server, 'responder');
  });
  afterAll(() => server.stop());

  const tryPath = (incidentId: string) => `/api/incidents/${incidentId}/definition-of-done/try`;

  describe('trying a script', () => {
    test('says whether it is done, which text it gives, or why it fails, and writes nothing', async () => {
      const { incidentId } = await newIncident(device);
      const component_id = await on.component('shop', 'unhealthy');
      const said = async (script: string) => {
        const answer = await device.browser.post(tryPath(incidentId), { script, component_id });
        expect(answer.status).toBe(200);
        return (await answer.json()) as unknown;
      };
      expect(await said('component.health == "healthy"')).toEqual({ done: false });
      expect(await said('component.name + " of " + incident.title')).toEqual({
        text: 'shop of Shop is slow',
      });
      expect(await said('component.health ==')).toEqual({ error: expect.any(String) as string });
      expect(await on.db.rows(z.unknown(), 'select id from evidences')).toEqual([]);
    });

    test('takes the subject of the evidence that it is for, of this incident only', async () => {
      const mine = await newIncident(device);
      const other = await newIncident(device);
      const check_id = await on.check('ping');
      const evidence_id = await on.evidenceOn(mine.rootId, { type: 'check', check_id });
      const body = { script: 'check.name', evidence_id };
      const right = await device.browser.post(tryPath(mine.incidentId), body);
      expect(await right.json()).toEqual({ text: 'ping' });
      const wrong = await device.browser.post(tryPath(other.incidentId), body);
      expect(wrong.status).toBe(400);
      expect(await wrong.json()).toMatchObject({ error: expect.stringContaining('evidence_id') as string });
    });

    test('is for those who may write evidences, on incidents that there are', async () => {
      const { incidentId } = await newIncident(device);
      const { email } = await server.account('viewer');
      const viewer = openTestBrowser(server.url);
      await viewer.signIn(email, PASSWORD);
      expect((await viewer.post(tryPath(incidentId), { script: 'true' })).status).toBe(403);
      expect((await device.browser.post(tryPath(id()), { script: 'true' })).status).toBe(404);
      expect((await device.browser.post(tryPath('nonsense'), { script: 'true' })).status).toBe(404);
      expect((await device.browser.post(tryPath(incidentId), { script: ' ' })).status).toBe(400);
    });
  });

  test('evaluate_done has the scripts of the incident looked at in the next round', async () => {
    const ids = await newIncident(device);
    const component_id = await on.component('cart');
    const evidenceId = await on.evidenceOn(ids.rootId, { component_id, script: 'component.name == "cart"' });
    await on.settle();
    await on.db.run('update components set name = $2 where id = $1', [component_id, 'basket']);
    await on.settle();
    expect(await on.evidence(evidenceId)).toMatchObject({ done: true });
    await device.apply({ name: 'evaluate_done', args: { incidentId: ids.incidentId } });
    await on.settle();
    expect(await on.evidence(evidenceId)).toMatchObject({ done: false });
    const gone = await device.send({ name: 'evaluate_done', args: { incidentId: id() } });
    expect(gone).toMatchObject({ kind: 'refused', code: 'gone' });
  });

  describe('saving a rule', () => {
    const rule = (spec: unknown) => ({
      name: `rule ${id()}`,
      spec,
      source: 'UI',
      created_by: device.personId,
    });

    test.each([
      [
        { components: [{ name: 'x' }], fliter: {} },
        'spec.fliter: is not a field of this kind; did you mean "filter"?',
      ],
      [{ components: [{ name: 'x' }], filter: { age: 'soon' } }, 'spec.filter.age: is not a duration'],
      [{ components: [{ name: 'x' }], template: { severity: 'bad' } }, 'spec.template.severity: '],
      [
        { components: [{ name: 'x' }], responders: { email: { to: 'a' } } },
        'spec.responders.email[0]: names neither',
      ],
      [
        { components: [{ name: 'x' }], hoursOfOperation: [{ start: '8', end: '17:00' }] },
        'spec.hoursOfOperation[0].start: is not a time of day',
      ],
      [{}, 'spec.components: Name what the rule watches'],
      [null, 'spec.components: Name what the rule watches'],
    ])('that cannot be read is refused with the field: %j', async (spec, said) => {
      const answer = await device.browser.post('/api/db/incident_rules', rule(spec));
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: expect.stringContaining(said) as string });
    });

    test('that can be read is stored, and shows what it did', async () => {
      const made = rule({ components: [{ name: 'no such' }], template: { severity: 'High' } });
      expect((await device.browser.post('/api/db/incident_rules', made)).status).toBe(201);
      await on.settle();
      const shown = await device.browser.get(
        `/api/db/incident_rules_with_status?name=eq.${encodeURIComponent(made.name)}&select=job_status,incident_count,open_incident_count,last_runtime:job_time_start`,
      );
      expect(await shown.json()).toEqual([
        { job_status: null, incident_count: 0, open_incident_count: 0, last_runtime: null },
      ]);
      on.advance(6 * 60_000);
      await on.settle();
      const later = await device.browser.get(
        `/api/db/incident_rules_with_status?name=eq.${encodeURIComponent(made.name)}&select=job_status`,
      );
      expect(await later.json()).toEqual([{ job_status: 'SUCCESS' }]);
    });

    test('without a new specification is not held up: a broken one can still be renamed', async () => {
      const ruleId = await on.rule(`old ${id()}`, { nonsense: true });
      const renamed = await device.browser.send('PATCH', `/api/db/incident_rules?id=eq.${ruleId}`, {
        body: JSON.stringify({ name: `new ${id()}` }),
      });
      expect(renamed.status).toBe(204);
      await on.db.run('delete from incident_rules where id = $1', [ruleId]);
    });
  });
});
