/**
 * `POST /notification/silence` (contract §9): date math and times, each refusal naming its field; what forms of
 * notifications ask of the server besides.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { previewedSchema } from '../../src/contract/http/notifications/rule-preview.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { loadFixtureRows } from './support/fixture-rows-query.ts';

const CONFIG = 'e2eee150-176f-5e80-b18b-eb54a254ee24';
const CHECK = '0186b7a4-0593-73e9-7e3d-5b3446336c1d';
const PATH = '/api/notification/silence';

interface Silence {
  from: string;
  until: string;
  config_id: string | null;
  check_id: string | null;
  recursive: boolean;
  description: string | null;
  source: string;
  namespace: string;
  created_by: string;
}

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let editor: TestBrowser;
  let editorId: string;

  const silences = () =>
    server.db.rows(
      z.custom<Silence>(),
      `select "from", "until", config_id, check_id, recursive, description, source, namespace, created_by
         from notification_silences order by created_at`,
    );

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    await loadFixtureRows(server.db, ['agents', 'config_scrapers', 'config_items', 'canaries', 'checks']);
    const account = await server.account('editor');
    editorId = account.id;
    editor = openTestBrowser(server.url);
    await editor.signIn(account.email, PASSWORD);
  });
  afterAll(() => server.stop());

  it('date math makes a silence, with an empty answer', async () => {
    const answer = await editor.post(PATH, {
      config_id: CONFIG,
      component_id: '',
      from: 'now',
      until: 'now+2d',
      description: 'maintenance',
      recursive: true,
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    const [silence] = await silences();
    expect(silence).toMatchObject({
      config_id: CONFIG,
      check_id: null,
      description: 'maintenance',
      recursive: true,
      source: 'UI',
      namespace: '',
      created_by: editorId,
    });
    const lengthMs = Date.parse(silence?.until ?? '') - Date.parse(silence?.from ?? '');
    expect(lengthMs).toBe(2 * 86_400_000);
  });

  it.each([
    ['2030-01-31T12:00:00Z', '2030-01-31T13:30:00+01:00', '2030-01-31T12:00:00', '2030-01-31T12:30:00'],
    ['2030-01-31 12:00Z', '2030-02-01T00:00+01:00', '2030-01-31T12:00:00', '2030-01-31T23:00:00'],
    ['2030-01-31T00:00Z||/M', '2030-01-31T00:00Z||+1M', '2030-01-01T00:00:00', '2030-02-28T00:00:00'],
  ])('from %s until %s is understood', async (from, until, fromAt, untilAt) => {
    expect((await editor.post(PATH, { check_id: CHECK, from, until })).status).toBe(200);
    const last = (await silences()).at(-1);
    expect(new Date(last?.from ?? '').toISOString()).toBe(`${fromAt}.000Z`);
    expect(new Date(last?.until ?? '').toISOString()).toBe(`${untilAt}.000Z`);
  });

  it.each([
    [{ config_id: CONFIG, until: 'now+1h' }, 'from: is missing'],
    [{ config_id: CONFIG, from: 'now' }, 'until: is missing'],
    [{ config_id: CONFIG, from: 'soon', until: 'now+1h' }, 'from: "soon" is not a time'],
    [{ config_id: CONFIG, from: 'now', until: '2030-02-30' }, 'until: "2030-02-30" is not a time'],
    [
      { config_id: CONFIG, from: '2030-01-31 12:00', until: 'now+9y' },
      'from: "2030-01-31 12:00" is not a time',
    ],
    [{ config_id: CONFIG, from: 'now', until: '2030-01-31T12:00:00' }, 'until: "2030-01-31T12:00:00" is not'],
    [{ config_id: CONFIG, from: 'now', until: '2030-01-31' }, 'write a time with its zone'],
    [{ config_id: CONFIG, from: '2030-01-31||/M', until: 'now+9y' }, 'write a time with its zone'],
    [{ config_id: CONFIG, from: 'now', until: 'now' }, 'until: must be after from'],
    [{ config_id: CONFIG, from: 'now+2d', until: 'now+1d' }, 'until: must be after from'],
    [{ from: 'now', until: 'now+1h' }, 'name what to silence by one of config_id'],
    [{ config_id: 'x', from: 'now', until: 'now+1h' }, 'config_id: must be an id'],
    [{ check_id: CONFIG, from: 'now', until: 'now+1h' }, 'check_id: there is nothing with this id'],
  ])('%j is refused: %s', async (body, text) => {
    const before = (await silences()).length;
    const answer = await editor.post(PATH, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining(text) as unknown });
    expect(await silences()).toHaveLength(before);
  });

  it('who may not write notifications may not silence them', async () => {
    const { email } = await server.account('responder');
    const browser = openTestBrowser(server.url);
    await browser.signIn(email, PASSWORD);
    const answer = await browser.post(PATH, { config_id: CONFIG, from: 'now', until: 'now+1h' });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-rbac-object')).toBe('notification');
    expect(answer.headers.get('x-rbac-action')).toBe('create');
  });

  describe('what a rule would say', () => {
    const ask = async (asked: object, browser = editor) =>
      browser.post('/api/notifications/preview', {
        event: 'check.failed',
        filter: null,
        title: null,
        template: null,
        ...asked,
      });
    const said = async (asked: object) => previewedSchema.parse(await (await ask(asked)).json());

    it('is the usual text, or its templates, of a thing that such an event is about', async () => {
      const usual = await said({});
      expect(usual).toMatchObject({ about: { kind: 'check' }, at: null, isTold: true, problems: [] });
      const name = usual.about?.name ?? '';
      expect(usual.title).toBe(`Check ${name} has failed`);
      const own = await said({
        title: '{{ .check.name }}!',
        template: '$(check.name) $(permalink)',
        filter: 'check.name == "none"',
      });
      expect(own).toMatchObject({ title: `${name}!`, isTold: false, problems: [] });
      expect(own.body).toContain(`${name} ${server.url}/health?`);
    });

    it('names the field that fails, and shows the usual text in its place', async () => {
      const usual = await said({});
      const broken = await said({ title: '{{ .check', template: '$(nobody.knows)', filter: 'check.name' });
      expect(broken.problems.map(({ field }) => field)).toEqual(['filter', 'title', 'template']);
      expect(broken).toMatchObject({ title: usual.title, body: usual.body, isTold: null });
    });

    it('is about nothing where nothing is, and is refused for an unknown event and to who may not write rules', async () => {
      expect((await said({ event: 'component.unhealthy' })).about).toBeNull();
      const unknown = await ask({ event: 'check.exploded' });
      expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('event')]);
      const viewer = openTestBrowser(server.url);
      await viewer.signIn((await server.account('viewer')).email, PASSWORD);
      expect((await ask({}, viewer)).status).toBe(403);
    });
  });
});
