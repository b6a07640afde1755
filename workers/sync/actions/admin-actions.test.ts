import { describe, expect, it } from 'vitest';
import type { SyncStatus } from '../../../src/contract/worker.ts';
import { administer } from './admin-actions.ts';
import { HttpFailure, type HttpClient, type HttpRequest } from '../network/http-client.ts';
import { FIRST_STATUS } from '../status/status-board.ts';

/** A server that says the same to everything, and remembers what it was asked. */
function serverSaying(answer: unknown, connection: SyncStatus['connection'] = 'live') {
  const asked: HttpRequest[] = [];
  const respond = async (request: HttpRequest) => {
    asked.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const http: HttpClient = {
    json: respond,
    send: async (request) => ({
      status: 200,
      headers: new Headers(),
      text: JSON.stringify(await respond(request)),
    }),
  };
  const status: SyncStatus = { ...FIRST_STATUS, connection };
  const board = { get: () => status, patch: () => undefined, subscribe: () => () => undefined };
  let done = 0;
  return { asked, parts: { http, board, onDone: () => (done += 1) }, done: () => done };
}

const refused = (status: number, body: unknown) =>
  new HttpFailure('conflict', 'refused', { status, retryAfterMs: null, body });

describe('what administrators do', () => {
  it('is never sent, and never kept, without a connection', async () => {
    for (const connection of ['offline', 'server-unreachable'] as const) {
      const { asked, parts } = serverSaying([{}], connection);
      const answer = await administer(parts, { name: 'delete_user', id: '1' });
      expect(answer).toMatchObject({ ok: false, error: { code: 'network' } });
      expect(asked).toEqual([]);
    }
  });

  it('adds people to a team, and takes one off that team only', async () => {
    const team = '0192d5a4-0000-7000-8000-00000000000a';
    const person = '0192d5a4-0000-7000-8000-00000000000b';
    const { asked, parts } = serverSaying([{ person_id: person }]);
    await administer(parts, { name: 'add_team_members', teamId: team, personIds: [person] });
    await administer(parts, { name: 'remove_team_member', teamId: team, personId: person });
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/api/db/team_members?select=person_id', [{ team_id: team, person_id: person }]],
      [
        'DELETE',
        `/api/db/team_members?team_id=eq.${team}&person_id=eq.${person}&select=person_id`,
        undefined,
      ],
    ]);
  });

  it('makes an agent, and deletes one with or without what it brought, as the contract has it', async () => {
    const id = '0192d5a4-0000-7000-8000-00000000000a';
    const made = serverSaying({ id, username: 'agent-1', access_token: 'a.b.1.65536.4' });
    const pushTelemetry = { enabled: true, topologyName: 'ops' };
    const properties = { region: 'eu' };
    const answer = await administer(made.parts, {
      name: 'generate_agent',
      agent: 'site-a',
      properties,
      pushTelemetry,
    });
    expect(answer).toMatchObject({ ok: true, value: { token: 'a.b.1.65536.4' } });
    expect(made.asked[0]?.body).toEqual({ name: 'site-a', properties, pushTelemetry });
    const { asked, parts } = serverSaying([{ id }]);
    for (const cleanup of [true, false]) await administer(parts, { name: 'delete_agent', id, cleanup });
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', `/api/db/agents?id=eq.${id}&select=id`, { deleted_at: 'now()', cleanup: true }],
      ['PATCH', `/api/db/agents?id=eq.${id}&select=id`, { deleted_at: 'now()' }],
    ]);
  });

  it('says so when who was to be removed is no member (any more)', async () => {
    const id = '0192d5a4-0000-7000-8000-00000000000a';
    const { parts } = serverSaying([]);
    const answer = await administer(parts, { name: 'remove_team_member', teamId: id, personId: id });
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('marks a deleted resource, and removes a deleted property', async () => {
    const { asked, parts } = serverSaying([{ id: '1' }]);
    await administer(parts, { name: 'delete_row', table: 'teams', key: 'a&b' });
    await administer(parts, { name: 'delete_row', table: 'properties', key: 'x.disable' });
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', '/api/db/teams?id=eq.a%26b&select=id', { deleted_at: 'now()' }],
      ['DELETE', '/api/db/properties?name=eq.x.disable&select=name', undefined],
    ]);
  });

  it('on a row that is gone is told as not found, not as done', async () => {
    const { parts, done } = serverSaying([]);
    const answer = await administer(parts, { name: 'update_row', table: 'teams', key: '1', values: {} });
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(done()).toBe(0);
  });

  it('names the field of a refusal where the server does', async () => {
    const named = serverSaying(refused(400, { error: 'no', field: 'email' }));
    expect(await administer(named.parts, { name: 'delete_user', id: '1' })).toMatchObject({ field: 'email' });
    const unique = serverSaying(refused(409, { code: '23505', details: 'Key (name)=(x) already exists.' }));
    const insert = { name: 'insert_row', table: 'teams', values: { name: 'x' } };
    expect(await administer(unique.parts, insert)).toMatchObject({ ok: false, field: 'name' });
  });

  it('hands the invitation’s link on', async () => {
    const { parts, done } = serverSaying({ link: 'https://x.test/invite' });
    const person = { firstName: 'A', lastName: 'B', email: 'a@b.c', role: 'viewer' };
    const answer = await administer(parts, { name: 'invite_user', ...person });
    expect(answer).toMatchObject({ ok: true, value: { link: 'https://x.test/invite' } });
    expect(done()).toBe(1);
  });

  it('that is not known is refused before anything is sent', async () => {
    const { asked, parts } = serverSaying([]);
    expect(await administer(parts, { name: 'drop_table', table: 'people' })).toMatchObject({ ok: false });
    expect(await administer(parts, { name: 'delete_row', table: 'casbin_rule', key: '1' })).toMatchObject({
      ok: false,
    });
    expect(asked).toEqual([]);
  });
});
