/** What is said of a playbook's specification when it is saved: the path, and what to write instead. */
import { expect, it } from 'vitest';
import { playbookProblems } from './playbook-problems.ts';

const action = { name: 'a', exec: { script: 'true' } };
const told = (spec: object) =>
  playbookProblems({ spec: { actions: [action], ...spec } }).map(
    ({ field, message }) => `${field}: ${message}`,
  );

it('conditions are checked wherever they stand: syntax, and functions that there are not', () => {
  const conditions = [
    { if: 'failed()' },
    { if: 'success( && true' },
    { if: "getAction('a').result.stdout == 'x' && config.?labels['app'] == 'shop'" },
    { delay: '5m' },
    { delay: "config.health == 'healthy' ? '1m' : '2m'" },
    { delay: '5 minuts' },
  ].map((more, at) => ({ ...action, name: `a${at}`, ...more }));
  const problems = told({
    actions: conditions,
    filters: ["config.health != 'healthy'", 'config.health !== 1'],
    on: { config: [{ event: 'unhealthy', filter: 'config.name.startsWith("db"' }] },
  });
  expect(problems.map((text) => text.slice(0, text.indexOf(':')))).toEqual([
    'spec.filters[1]',
    'spec.actions[0].if',
    'spec.actions[1].if',
    'spec.actions[5].delay',
    'spec.on.config[0].filter',
  ]);
  for (const text of problems) expect(text).toContain('write CEL such as success()');
});

it('permissions that name nobody are told', () => {
  expect(told({ permissions: [{ role: 'editor' }, {}] })).toEqual([
    'spec.permissions[1]: names nobody: give a role or a team',
  ]);
});

it('a pod needs a container', () => {
  const pod = { name: 'a', pod: { name: 'x', spec: { volumes: [] } } };
  expect(told({ actions: [pod] })).toEqual([
    'spec.actions[0].pod.spec.containers: name at least one container',
  ]);
});

it('a gitops action says what it lacks before it is run', () => {
  const gitops = (more: object) => ({
    actions: [{ name: 'a', gitops: { repo: { url: 'https://x/y/z' }, commit: {}, ...more } }],
  });
  expect(told(gitops({ files: [{ path: 'a', content: 'b' }] }))).toEqual([]);
  expect(told(gitops({ repo: {}, pr: { title: 'x' }, patches: [{ path: 'a', yq: '.', jq: '.' }] }))).toEqual([
    'spec.actions[0].gitops.repo.url: is required, or a connection',
    'spec.actions[0].gitops.repo.branch: is required: a pull request needs a branch of its own',
    'spec.actions[0].gitops.patches[0]: needs one of yq and jq',
  ]);
  expect(told(gitops({}))).toEqual([
    'spec.actions[0].gitops.patches: is required, or files: nothing would change',
  ]);
});

it('a schedule that never comes, and a parameter that there is not, are told', () => {
  const schedule = (text: string, parameters = {}) => ({
    on: { schedule: [{ schedule: text, parameters }] },
  });
  const parameters = [{ name: 'who' }];
  expect(told({ ...schedule('@every 5m', { who: 'me' }), parameters })).toEqual([]);
  for (const text of ['99 99 * * *', '0 0 30 2 *'])
    expect(told(schedule(text))).toEqual([
      `spec.on.schedule[0].schedule: "${text}" is no schedule such as 0 3 * * * or @every 5m`,
    ]);
  expect(told({ ...schedule('whenever', { whom: 'me' }), parameters })).toEqual([
    'spec.on.schedule[0].schedule: "whenever" is no schedule such as 0 3 * * * or @every 5m',
    'spec.on.schedule[0].parameters.whom: is no parameter of this playbook',
  ]);
});

it('who may run it is named by role or team, and templates are filled where the action runs', () => {
  expect(told({ permissions: [{ ref: 'somebody' }] })).toEqual([
    'spec.permissions[0]: ref means nobody here: give a role or a team',
  ]);
  expect(told({ runsOn: ['local'], templatesOn: 'host', actions: [action] })).toEqual([]);
  expect(told({ runsOn: ['site'], templatesOn: 'agent', actions: [action] })).toEqual([]);
  expect(told({ runsOn: ['site'], actions: [{ ...action, templatesOn: 'host' }] })).toEqual([
    'spec.actions[0].templatesOn: host can not be had: templates are filled by the agent that runs the action',
  ]);
});
