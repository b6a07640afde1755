/** For tests only: the original client's calls about people, flags, agents, connections (contract §2, §3, §8–§10). */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import { A, CONNECTION, NOBODY, PERSON, TEAM } from './ids.ts';

const firstOf = (json: readonly unknown[], expected: object) => expect(json[0]).toMatchObject(expected);

const PEOPLE: Call[] = [
  {
    section: '2.1',
    name: 'who am I',
    path: '/api/auth/whoami',
    check: (json: {
      message: string;
      payload: { user: { id: string }; roles: string[]; hostname: string };
    }) => {
      expect(json.message).toBe('success');
      expect(json.payload.roles).toEqual(['admin']);
      expect(json.payload.user.id).not.toBe('');
    },
  },
  {
    section: '2.1',
    name: 'roles of a person without any',
    path: `/api/db/people_roles?id=in.(${PERSON})`,
    columns: 'id name email roles',
  },
  {
    section: '2.1',
    name: 'the version',
    path: '/api/canary/about',
    check: (json: object) => expect(json).toHaveProperty('Version'),
  },
  {
    section: '2.2',
    name: 'the session',
    path: '/api/.ory/sessions/whoami',
    check: (json: object) => expect(json).toHaveProperty('identity'),
  },
  {
    section: '2.2',
    name: 'the way out',
    path: '/api/.ory/self-service/logout/browser',
    check: (json: object) => expect(json).toHaveProperty('logout_token'),
  },
  {
    section: '2.4',
    name: 'identities',
    path: '/api/db/identities',
    columns: 'id state traits created_at',
    atLeast: 1,
  },
  {
    section: '2.4',
    name: 'people in a dropdown',
    path: '/api/db/people?select=*&order=name.asc',
    columns: 'id name avatar email',
    atLeast: 2,
  },
  {
    section: '2.4',
    name: 'an invitation without anything',
    method: 'POST',
    path: '/api/auth/invite_user',
    body: {},
    status: 400,
  },
  {
    section: '2.4',
    name: 'a person who is not there',
    method: 'DELETE',
    path: `/api/people/${NOBODY}`,
    status: 404,
  },
  {
    section: '2.6',
    name: 'teams',
    path: '/api/db/teams?deleted_at=is.null&order=name.asc',
    columns: 'id name icon spec',
    atLeast: 1,
  },
  {
    section: '2.6',
    name: 'members are added as a list',
    method: 'POST',
    path: '/api/db/team_members',
    body: [{ team_id: TEAM, person_id: PERSON }],
    status: 201,
    columns: 'team_id person_id',
    atLeast: 1,
  },
  {
    section: '2.6',
    name: 'members replace the column that names them',
    path: `/api/db/team_members?team_id=eq.${TEAM}&select=*,person_id(*)`,
    check: (json: { person_id: { id: string } }[]) => expect(json[0]?.person_id.id).toBe(PERSON),
  },
  {
    section: '2.6',
    name: 'a member leaves',
    method: 'DELETE',
    path: `/api/db/team_members?person_id=eq.${PERSON}`,
    columns: 'team_id',
    atLeast: 1,
  },
];

const FLAGS: Call[] = [
  { section: '3', name: 'properties at start', path: '/api/properties', columns: '' },
  {
    section: '3',
    name: 'a flag is set',
    method: 'POST',
    path: '/api/db/properties',
    body: { name: 'logs.disable', value: 'true', created_by: PERSON },
    status: 201,
    columns: 'name value',
    atLeast: 1,
  },
  {
    section: '3',
    name: 'the flag before an edit',
    path: `/api/db/properties?select=*,created_by(${A})&name=eq.logs.disable&value=eq.true`,
    check: (json: object[]) => firstOf(json, { created_by: { name: expect.any(String) as unknown } }),
  },
  {
    section: '3',
    name: 'a flag is changed',
    method: 'PATCH',
    path: '/api/db/properties?name=eq.logs.disable',
    body: { value: 'false' },
    columns: 'name',
    atLeast: 1,
  },
  {
    section: '3',
    name: 'a flag goes',
    method: 'DELETE',
    path: '/api/db/properties?name=eq.logs.disable',
    columns: 'name',
    atLeast: 1,
  },
];

const AGENTS_AND_NOTICES: Call[] = [
  {
    section: '10',
    name: 'connections, with an encoded comma',
    path: `/api/db/connections?select=*%2Ccreated_by(${A})&order=created_at.desc&deleted_at=is.null&limit=100`,
    columns: 'id name namespace type created_by',
    atLeast: 1,
  },
  {
    section: '10',
    name: 'a connection is deleted later',
    method: 'PATCH',
    path: `/api/db/connections?id=eq.${CONNECTION}`,
    body: { deleted_at: 'now()' },
    columns: 'id deleted_at',
    atLeast: 1,
  },
  {
    section: '10',
    name: 'a test of no connection',
    method: 'POST',
    path: `/api/connection/test/${NOBODY}`,
    status: 404,
  },
];

export const WORK_CALLS: readonly Call[] = [...PEOPLE, ...FLAGS, ...AGENTS_AND_NOTICES];
