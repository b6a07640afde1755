/** Rules on real rows: what becomes unhealthy opens one incident, what is well again ends it. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { IncidentSetting } from '../testing/incident-setting-query.ts';

const ALL_COMPONENTS = { components: [{ types: ['*'] }] };
const MINUTE_MS = 60_000;

forEachDatabase((_kind, open) => {
  let on: IncidentSetting;

  beforeAll(async () => {
    on = new IncidentSetting(await open());
  });
  afterEach(() => on.clear());

  describe('a rule', () => {
    test('opens one incident for a component that becomes unhealthy, with root, factor and evidence', async () => {
      const ruleId = await on.rule('services', ALL_COMPONENTS);
      const shop = await on.component('shop');
      await on.settle();
      expect(await on.incidents()).toEqual([]);
      await on.componentIs(shop, 'unhealthy');
      await on.settle();
      await on.settle();
      const [incident, ...others] = await on.incidents();
      expect(others).toEqual([]);
      expect(incident).toMatchObject({
        title: 'shop is unhealthy',
        status: 'open',
        severity: 'low',
        type: 'availability',
        incident_rule_id: ruleId,
        created_by: await on.systemId(),
      });
      const plan = await on.db.rows(
        z.unknown(),
        `select h.type, h.title, parent.type as parent, e.type as evidence, e.component_id, e.definition_of_done, e.done
         from hypotheses h left join hypotheses parent on parent.id = h.parent_id
         left join evidences e on e.hypothesis_id = h.id order by h.type desc`,
      );
      expect(plan).toEqual([
        expect.objectContaining({ type: 'root', parent: null, evidence: null }),
        {
          type: 'factor',
          title: 'shop is unhealthy',
          parent: 'root',
          evidence: 'topology',
          component_id: shop,
          definition_of_done: true,
          done: false,
        },
      ]);
      expect(await on.history(incident?.id ?? '')).toEqual([
        'incident.created',
        'hypothesis.created',
        'hypothesis.created',
        'evidence.created',
        'evidence.done_definition_added',
      ]);
    });

    test('resolves it when the component is healthy, and opens the same one again when it fails again', async () => {
      await on.rule('services', ALL_COMPONENTS);
      const shop = await on.component('shop', 'unhealthy');
      await on.settle();
      await on.componentIs(shop, 'healthy');
      await on.settle();
      expect(await on.incidents()).toMatchObject([{ status: 'resolved' }]);
      await on.componentIs(shop, 'unhealthy');
      await on.settle();
      const [incident, ...others] = await on.incidents();
      expect(others).toEqual([]);
      expect(incident).toMatchObject({ status: 'open' });
      const by = await on.db.rows(
        z.unknown(),
        `select description, created_by from incident_histories where type = 'incident.status_updated' order by created_at`,
      );
      const system = await on.systemId();
      expect(by).toEqual([
        { description: 'resolved', created_by: system },
        { description: 'open', created_by: system },
      ]);
    });

    test('takes not known for neither: it opens nothing, resolves nothing, and is no relapse', async () => {
      await on.rule('checks', { checks: [{ types: ['*'] }] });
      const api = await on.check('api', 'healthy');
      await on.checkIs(api, null);
      await on.settle();
      expect(await on.incidents()).toEqual([]);
      await on.checkIs(api, 'unhealthy');
      await on.settle();
      expect(await on.incidents()).toMatchObject([{ status: 'open' }]);
      await on.checkIs(api, null);
      await on.settle();
      expect(await on.incidents()).toMatchObject([{ status: 'open' }]);
      await on.checkIs(api, 'healthy');
      await on.settle();
      expect(await on.incidents()).toMatchObject([{ status: 'resolved' }]);
      await on.checkIs(api, null);
      await on.settle();
      expect(await on.incidents()).toMatchObject([{ status: 'resolved' }]);
    });

    test('whose texts fail for one subject opens the incidents of all others, and says so', async () => {
      const title = '{{ if eq .subject.name "odd" }}{{ nosuchfunction }}{{ end }}{{ .subject.name }} is down';
      const ruleId = await on.rule('services', { ...ALL_COMPONENTS, template: { title } });
      // Whichever comes first: subjects come in order of their ids.
      for (const name of ['a', 'odd', 'b', 'odd', 'c']) await on.component(name, 'unhealthy');
      await on.service.runOnce();
      const titles = (await on.incidents()).map((incident) => incident.title);
      expect(titles.toSorted()).toEqual(['a is down', 'b is down', 'c is down']);
      const jobs = await on.db.rows(
        z.custom<{ status: string; details: { errors: string[] } }>(),
        `select status, details from job_history where name = 'IncidentRules' and resource_id = $1`,
        [ruleId],
      );
      expect(jobs).toMatchObject([{ status: 'WARNING' }]);
      expect(jobs[0]?.details.errors).toEqual([
        expect.stringMatching(/^odd: .*nosuchfunction/),
        expect.stringMatching(/^odd: .*nosuchfunction/),
      ]);
    });

    test('watches checks and configs as well, with evidence of their kind', async () => {
      await on.rule('all', { checks: [{ name: 'ping*' }], configs: [{ types: ['Deployment'] }] });
      const ping = await on.check('ping shop', 'unhealthy');
      await on.check('other', 'unhealthy');
      const config = await on.config('api', 'unhealthy');
      await on.settle();
      expect((await on.incidents()).map(({ title }) => title).toSorted()).toEqual([
        'api is unhealthy',
        'ping shop is unhealthy',
      ]);
      const evidence = await on.db.rows(
        z.unknown(),
        `select type, check_id, config_id from evidences order by type`,
      );
      expect(evidence).toEqual([
        { type: 'check', check_id: ping, config_id: null },
        { type: 'config', check_id: null, config_id: config },
      ]);
      await on.checkIs(ping, 'healthy');
      await on.settle();
      expect((await on.incidents()).map(({ status }) => status).toSorted()).toEqual(['open', 'resolved']);
    });

    test('writes what its template says: title, severity in any case, people by name', async () => {
      const [ada] = await on.db.rows(
        z.custom<{ id: string }>(),
        `insert into people (name, email) values ('Ada', 'ada@example.com') returning id`,
      );
      await on.rule('services', {
        ...ALL_COMPONENTS,
        autoAssignOwner: true,
        template: {
          title: '{{ .component.name | strings.ToUpper }} down ({{ .rule.name }})',
          description: 'Look at {{ .subject.type }}',
          severity: 'High',
          type: 'technical_debt',
          status: 'investigating',
          created_by: 'Ada',
        },
      });
      await on.component('shop', 'unhealthy', 'ada@example.com');
      await on.settle();
      expect(await on.incidents()).toMatchObject([
        {
          title: 'SHOP down (services)',
          description: 'Look at Service',
          severity: 'high',
          type: 'technicalDebt',
          status: 'investigating',
          created_by: ada?.id,
          commander_id: ada?.id,
        },
      ]);
      await on.clear();
      await on.db.run(`delete from people where name = 'Ada'`);
    });

    test('waits until the subject is unhealthy for as long as the filter says', async () => {
      await on.rule('slow', { ...ALL_COMPONENTS, filter: { age: '10m' } });
      const shop = await on.component('shop', 'unhealthy');
      await on.settle();
      on.advance(6 * MINUTE_MS);
      await on.settle();
      expect(await on.incidents()).toEqual([]);
      await on.componentIs(shop, 'healthy');
      await on.settle();
      await on.componentIs(shop, 'unhealthy');
      await on.settle();
      on.advance(6 * MINUTE_MS);
      await on.settle();
      expect(await on.incidents()).toEqual([]);
      on.advance(5 * MINUTE_MS);
      await on.settle();
      expect(await on.incidents()).toHaveLength(1);
    });

    test('resolves and closes after the healthy time that it names, not before', async () => {
      await on.rule('patient', {
        ...ALL_COMPONENTS,
        autoResolve: { timeout: '10m' },
        autoClose: { timeout: '1h' },
      });
      const shop = await on.component('shop', 'unhealthy');
      await on.settle();
      const status = async () => (await on.incidents()).map((incident) => incident.status);
      await on.componentIs(shop, 'healthy');
      await on.settle();
      on.advance(9 * MINUTE_MS);
      await on.settle();
      expect(await status()).toEqual(['open']);
      on.advance(2 * MINUTE_MS);
      await on.settle();
      expect(await status()).toEqual(['resolved']);
      on.advance(50 * MINUTE_MS);
      await on.settle();
      expect(await status()).toEqual(['closed']);
      await on.componentIs(shop, 'unhealthy');
      await on.settle();
      expect(await status()).toEqual(['closed', 'open']);
    });

    test('does not open another for the same spell when a person closed it', async () => {
      await on.rule('services', ALL_COMPONENTS);
      const shop = await on.component('shop', 'unhealthy');
      await on.settle();
      const [first] = await on.incidents();
      await on.statusIs(first?.id ?? '', 'closed');
      await on.settle();
      on.advance(6 * MINUTE_MS);
      await on.settle();
      expect(await on.incidents()).toHaveLength(1);
      await on.componentIs(shop, 'healthy');
      await on.settle();
      await on.componentIs(shop, 'unhealthy');
      await on.settle();
      expect((await on.incidents()).map(({ status }) => status)).toEqual(['closed', 'open']);
    });

    test('takes the incident up again that a person opened again, in place of a second one', async () => {
      await on.rule('services', ALL_COMPONENTS);
      const shop = await on.component('shop', 'unhealthy');
      await on.settle();
      const [first] = await on.incidents();
      await on.statusIs(first?.id ?? '', 'closed');
      await on.componentIs(shop, 'healthy');
      await on.settle();
      await on.statusIs(first?.id ?? '', 'open');
      await on.componentIs(shop, 'unhealthy');
      await on.settle();
      expect(await on.incidents()).toHaveLength(1);
    });

    test('with breakOnMatch keeps its subjects from later rules; lower priorities come first', async () => {
      const late = await on.rule('late', { ...ALL_COMPONENTS, priority: 5 });
      const early = await on.rule('early', {
        components: [{ name: 'shop' }],
        priority: 1,
        breakOnMatch: true,
      });
      await on.component('shop', 'unhealthy');
      await on.component('cart', 'unhealthy');
      await on.settle();
      const opened = (await on.incidents()).map((incident) => [incident.title, incident.incident_rule_id]);
      expect(Object.fromEntries(opened)).toEqual({ 'cart is unhealthy': late, 'shop is unhealthy': early });
      expect(opened).toHaveLength(2);
    });

    test('keeps to its hours of operation', async () => {
      const hour = new Date(on.now()).getUTCHours();
      const clock = (hours: number) => `${String((hours + 24) % 24).padStart(2, '0')}:00`;
      await on.rule('night', {
        ...ALL_COMPONENTS,
        hoursOfOperation: [{ start: clock(hour - 1), end: clock(hour + 1), negate: true }],
      });
      await on.component('shop', 'unhealthy');
      await on.settle();
      expect(await on.incidents()).toEqual([]);
      on.advance(120 * MINUTE_MS);
      await on.settle();
      expect(await on.incidents()).toHaveLength(1);
    });

    test('filters by severity of the check, with words in any case', async () => {
      await on.rule('critical', {
        checks: [{ types: ['http'] }],
        filter: { severity: ['Critical', 'high'] },
      });
      await on.check('a', 'unhealthy', 'critical');
      await on.check('b', 'unhealthy', 'low');
      await on.check('c', 'unhealthy');
      await on.settle();
      expect((await on.incidents()).map(({ title }) => title)).toEqual(['a is unhealthy']);
    });

    test('adds its responders with the type that their system has', async () => {
      const [team] = await on.db.rows(
        z.custom<{ id: string }>(),
        `insert into teams (name, created_by) values ('SRE', $1) returning id`,
        [await on.systemId()],
      );
      await on.rule('services', {
        ...ALL_COMPONENTS,
        responders: {
          email: { team: 'sre', to: 'sre@example.com', subject: '{{ .subject.name }} is down' },
          servicenow: [{ team: 'SRE', category: 'outage' }],
        },
      });
      await on.component('shop', 'unhealthy');
      await on.settle();
      expect(
        await on.db.rows(
          z.unknown(),
          'select type, team_id, properties from responders order by created_at, id',
        ),
      ).toEqual([
        {
          type: 'system',
          team_id: team?.id,
          properties: { responderType: 'email', to: 'sre@example.com', subject: 'shop is down' },
        },
        {
          type: 'system',
          team_id: team?.id,
          properties: { responderType: 'service_now', category: 'outage' },
        },
      ]);
    });

    test('that cannot be read, or names nobody, says so in its job history and stops no other', async () => {
      const broken = await on.rule('broken', { ...ALL_COMPONENTS, autoResolve: { timeout: 'soon' } });
      const unknown = await on.rule('unknown', {
        ...ALL_COMPONENTS,
        responders: { email: { team: 'nobody' } },
      });
      await on.rule('good', ALL_COMPONENTS);
      await on.component('shop', 'unhealthy');
      await on.settle();
      expect(await on.incidents()).toHaveLength(1);
      const errorOf = (ruleId: string) =>
        on.db.text(
          `select details -> 'errors' ->> 0 from job_history where resource_id = $1 and status = 'FAILED' limit 1`,
          [ruleId],
        );
      expect(await errorOf(broken)).toContain('autoResolve.timeout');
      expect(await errorOf(unknown)).toBe('shop: responders.email: there is no team nobody');
    });
  });

  test('a storm opens at most a hundred incidents a round, and says how many wait', async () => {
    const ruleId = await on.rule('storm', ALL_COMPONENTS);
    await on.db.run(
      `insert into components (external_id, name, type, status, health)
       select n::text, 'c' || n, 'Service', 'unhealthy', 'unhealthy' from generate_series(1, 130) as n`,
    );
    expect(await on.service.runOnce()).toMatchObject({ opened: 100 });
    const [job] = await on.db.rows(
      z.custom<{ status: string; details: { errors: string[] } }>(),
      'select status, details from job_history where resource_id = $1',
      [ruleId],
    );
    expect(job).toMatchObject({ status: 'WARNING' });
    expect(job?.details.errors[0]).toContain('30 more subjects wait');
    on.advance(6 * MINUTE_MS);
    await on.settle();
    expect(await on.incidents()).toHaveLength(130);
  }, 180_000);

  test('two servers that look at the same time open one incident', async () => {
    await on.rule('services', ALL_COMPONENTS);
    await on.component('shop', 'unhealthy');
    const other = on.openService();
    await Promise.all([on.service.runOnce(), other.runOnce(), on.service.runOnce(), other.runOnce()]);
    await on.settle();
    await other.stop(1000);
    expect(await on.incidents()).toHaveLength(1);
  });

  test('nothing happens while incidents are switched off, by the database or outside of it', async () => {
    await on.rule('services', ALL_COMPONENTS);
    await on.component('shop', 'unhealthy');
    await on.db.run(`insert into properties (name, value) values ('incidents.disable', 'true')`);
    expect(await on.service.runOnce()).toBeNull();
    await on.db.run('delete from properties');
    on.localProperties.set('incidents.disable', 'on');
    expect(await on.service.runOnce()).toBeNull();
    expect(await on.incidents()).toEqual([]);
    on.localProperties.clear();
    await on.settle();
    expect(await on.incidents()).toHaveLength(1);
  });
});
