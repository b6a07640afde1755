/** For tests only: the original client's calls about playbooks and their runs (contract §7). */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import { A, COMPONENT, NEW_PLAYBOOK, NOBODY, NODE_CONFIG, PERSON, PLAYBOOK, RUN, STEP } from './ids.ts';

const firstOf = (json: readonly unknown[], expected: object) => expect(json[0]).toMatchObject(expected);

const RUN_EMBEDS =
  'component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)';
export const PLAYBOOK_CALLS: readonly Call[] = [
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
  {
    section: '7',
    name: 'a playbook made in its form',
    method: 'POST',
    path: '/api/db/playbooks',
    body: {
      id: NEW_PLAYBOOK,
      title: 'Flush cache',
      name: 'Flush cache',
      source: 'UI',
      category: 'Caches',
      spec: {
        title: 'Flush cache',
        category: 'Caches',
        actions: [{ name: 'flush', exec: { script: 'echo' } }],
      },
      description: 'Empties all caches',
      icon: 'redis',
      created_by: PERSON,
    },
    status: 201,
    check: (json: object[]) => firstOf(json, { title: 'Flush cache', category: 'Caches', source: 'UI' }),
  },
  {
    section: '7',
    name: 'one that no server could run',
    method: 'POST',
    path: '/api/db/playbooks',
    body: { title: 'Wrong', name: 'Wrong', source: 'UI', spec: { actions: [{ exec: { command: 'ls' } }] } },
    status: 400,
    check: (json: object) => expect(JSON.stringify(json)).toContain('spec.actions[0]'),
  },
  {
    section: '7',
    name: 'a playbook changed in its form',
    method: 'PATCH',
    path: `/api/db/playbooks?id=eq.${NEW_PLAYBOOK}`,
    body: {
      id: NEW_PLAYBOOK,
      source: 'UI',
      title: 'Flush caches',
      spec: { title: 'Flush caches', actions: [{ name: 'flush', exec: { script: 'echo' } }] },
      description: 'All of them',
      icon: 'redis',
    },
    check: (json: object[]) => firstOf(json, { id: NEW_PLAYBOOK, title: 'Flush caches' }),
  },
  {
    section: '7',
    name: 'a playbook deleted',
    method: 'PATCH',
    path: `/api/db/playbooks?id=eq.${NEW_PLAYBOOK}`,
    body: { deleted_at: 'now()' },
    check: (json: { deleted_at: string }[]) => expect(json[0]?.deleted_at).toMatch(/^\d{4}-/),
  },
  {
    section: '7',
    name: 'what a step wrote',
    path: `/api/db/playbook_run_actions?id=eq.${STEP}&select=*`,
    check: (json: object[]) =>
      firstOf(json, { id: STEP, status: 'completed', result: { stdout: 'hello', exitCode: 0 } }),
  },
  {
    section: '7',
    name: 'the runs of a config',
    path: `/api/db/playbook_runs?&config_id=eq.${NODE_CONFIG}&limit=50&offset=0&order=created_at.desc&select=*,playbooks(id,name,title,spec,icon),${RUN_EMBEDS}`,
    isCounted: true,
    columns: 'id playbooks component check config',
    atLeast: 1,
  },
  {
    section: '7',
    name: 'the runs of a component',
    path: `/api/db/playbook_runs?&component_id=eq.${COMPONENT}&limit=50&offset=0&order=created_at.desc&select=*,playbooks(id,name,title,spec,icon),${RUN_EMBEDS}`,
    isCounted: true,
    check: (json: object[]) => expect(json).toEqual([]),
  },
];
