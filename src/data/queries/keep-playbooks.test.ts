/** What a device asks ahead, so that playbooks can be read without a network. */
import { expect, test } from 'vitest';
import type { DataClient } from '../client/data-client.ts';
import { keepPlaybooks } from './keep-playbooks.ts';

type Answers = (name: string, args: Record<string, unknown>) => unknown;

/** Answers what the device has first, which is no news, then what the server says; null is a refusal. */
function clientOf(answers: Answers) {
  const asked: string[] = [];
  let open = 0;
  const ask = (name: string, args: Record<string, unknown>, receive: (message: unknown) => void) => {
    asked.push(`${name} ${JSON.stringify(args['where'] ?? args)}`);
    open += 1;
    receive({ ok: true, value: { source: 'device', value: null } });
    queueMicrotask(() => {
      const value = answers(name, args);
      if (value === undefined) return;
      receive(value === null ? { ok: false } : { ok: true, value: { source: 'server', value } });
    });
    return () => {
      open -= 1;
    };
  };
  return { client: { ask } as unknown as Pick<DataClient, 'ask'>, asked, openCount: () => open };
}

const suitable = (...ids: string[]) => ids.map((id) => ({ id, name: id, parameters: 0 }));
const never = new AbortController().signal;

test('the playbooks of each thing are asked for, then the last run of each with all of its steps', async () => {
  const { client, asked, openCount } = clientOf((name, args) => {
    if (name === 'resource-playbooks') return args['id'] === 'c' ? suitable('p', 'q') : suitable('p');
    if (name === 'table') return { rows: JSON.stringify(args).includes('"p"') ? [{ id: 'run' }] : [] };
    return name === 'playbook-run' ? { steps: [{ id: 's1' }, { id: 's2' }] } : {};
  });
  const things = [
    { kind: 'component' as const, id: 'c' },
    { kind: 'check' as const, id: 'k' },
  ];
  await keepPlaybooks(things, never, client);
  const last = (id: string) => `table [{"op":"eq","column":"playbook_id","value":"${id}"}]`;
  expect(asked).toEqual([
    'resource-playbooks {"kind":"component","id":"c"}',
    'resource-playbooks {"kind":"check","id":"k"}',
    last('p'),
    'playbook-run {"runId":"run"}',
    'playbook-step {"stepId":"s1"}',
    'playbook-step {"stepId":"s2"}',
    last('q'),
  ]);
  // Nothing goes on being asked.
  await Promise.resolve();
  expect(openCount()).toBe(0);
});

test('what cannot be had leaves the rest, and one that is left ends what is asked', async () => {
  const refused = clientOf((name, args) =>
    name === 'resource-playbooks' && args['id'] !== 'gone' ? suitable('p') : null,
  );
  const of = (id: string) => ({ kind: 'config' as const, id });
  await keepPlaybooks([of('gone'), of('there')], never, refused.client);
  expect(refused.asked.map((text) => text.split(' ')[0])).toEqual([
    'resource-playbooks',
    'resource-playbooks',
    'table',
  ]);
  const over = new AbortController();
  const silent = clientOf(() => undefined);
  const kept = keepPlaybooks([of('a'), of('b')], over.signal, silent.client);
  over.abort();
  await kept;
  expect(silent.asked).toEqual(['resource-playbooks {"kind":"config","id":"a"}']);
  await Promise.resolve();
  expect(silent.openCount()).toBe(0);
});

test('of many things only as much as a device can hold is asked', async () => {
  const { client, asked } = clientOf((name, { id }) =>
    name === 'resource-playbooks' ? suitable(`p${String(id)}`) : { rows: [] },
  );
  const things = Array.from({ length: 100 }, (_, at) => ({ kind: 'config' as const, id: String(at) }));
  await keepPlaybooks(things, never, client);
  expect(asked.filter((text) => text.startsWith('resource'))).toHaveLength(40);
  expect(asked.filter((text) => text.startsWith('table'))).toHaveLength(30);
});
