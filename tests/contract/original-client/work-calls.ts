/** For tests only: the original client's calls about people, flags, playbooks, notices (contract §2, §3, §7–§10). */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import { A, COMPONENT, CONNECTION, NOBODY, NODE_CONFIG, PERSON, PLAYBOOK, RUN, TEAM } from './ids.ts';

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

const RUN_EMBEDS =
  'component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)';
const PLAYBOOKS: Call[] = [
  {
    section: '7',
    name: 'names of playbooks',
    path: '/api/db/playbook_names?select=id,name,title,icon,category&order=title.asc',
    columns: 'id name title icon category',
    atLeast: 1,
  },
  {
    section: '7',
    name: 'a playbook',
    path: `/api/db/playbooks?id=eq.${PLAYBOOK}&select=*,created_by(${A})`,
    columns: 'id spec created_by',
    atLeast: 1,
  },
  {
    section: '7',
    name: 'playbooks of a menu',
    path: `/api/db/playbooks?id=in.(${PLAYBOOK})&select=id,title,spec`,
    columns: 'id title spec',
    atLeast: 1,
  },
  {
    section: '7',
    name: 'playbooks of a config',
    path: `/api/playbook/list?config_id=${NODE_CONFIG}`,
    check: (json: object[]) => expect(json).toEqual([{ id: PLAYBOOK, name: 'echo-config' }]),
  },
  {
    section: '7',
    name: 'playbooks of a component',
    path: `/api/playbook/list?component_id=${COMPONENT}`,
    check: (json: object[]) => expect(json).toEqual([]),
  },
  { section: '7', name: 'playbooks of nothing', path: '/api/playbook/list', status: 400 },
  {
    section: '7',
    name: 'the parameters of a run',
    method: 'POST',
    path: `/api/playbook/${PLAYBOOK}/params`,
    body: { id: PLAYBOOK, config_id: NODE_CONFIG },
    check: (json: object) => expect(json).toEqual({ params: [] }),
  },
  {
    section: '7',
    name: 'a run',
    method: 'POST',
    path: '/api/playbook/run',
    body: { id: PLAYBOOK, config_id: NODE_CONFIG, params: {} },
    status: 201,
    check: (json: object) =>
      expect(json).toEqual({
        run_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        starts_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
      }),
  },
  {
    section: '7',
    name: 'a run with an unknown parameter',
    method: 'POST',
    path: '/api/playbook/run',
    body: { id: PLAYBOOK, params: { nope: '1' } },
    status: 400,
  },
  {
    section: '7',
    name: 'a run of no playbook',
    method: 'POST',
    path: '/api/playbook/run',
    body: { id: NOBODY, params: {} },
    status: 404,
  },
  {
    section: '7',
    name: 'the run page',
    path: `/api/db/playbook_runs?id=eq.${RUN}&select=*,created_by(${A}),playbooks(id,name,title,spec),${RUN_EMBEDS}`,
    check: (json: object[]) => firstOf(json, { playbooks: { id: PLAYBOOK }, config: { id: NODE_CONFIG } }),
  },
  {
    section: '7',
    name: 'its actions',
    path: `/api/db/playbook_run_actions?select=id,name,status,start_time,end_time,scheduled_time&order=start_time.asc&playbook_run_id=eq.${RUN}`,
    columns: 'id',
  },
  {
    section: '7',
    name: 'the runs list',
    path: `/api/db/playbook_runs?&status=eq.completed&limit=50&offset=0&order=created_at.desc&or=(and(start_time.gte.2000-01-01,start_time.lte.2100-01-01),and(created_at.gte.2000-01-01,created_at.lte.2100-01-01))&playbook_id=eq.${PLAYBOOK}&select=*,playbooks(id,name,title,spec,icon),${RUN_EMBEDS}`,
    isCounted: true,
    columns: 'id playbooks component check config',
    atLeast: 1,
  },
];

const AGENTS_AND_NOTICES: Call[] = [
  {
    section: '8',
    name: 'agents, with an empty parameter and two orders [!]',
    path: `/api/db/agents_summary?select=*,created_by(${A})&order=created_at.desc&&limit=50&offset=0&order=name.asc`,
    isCounted: true,
    columns: 'id name config_count config_scrapper_count checks_count playbook_runs_count created_by',
    atLeast: 1,
  },
  {
    section: '8',
    name: 'an agent without a name',
    method: 'POST',
    path: '/api/agent/generate',
    headers: { responsetype: 'blob' },
    body: {},
    status: 400,
  },
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

export const WORK_CALLS: readonly Call[] = [...PEOPLE, ...FLAGS, ...PLAYBOOKS, ...AGENTS_AND_NOTICES];
