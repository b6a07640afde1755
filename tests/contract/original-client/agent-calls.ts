/** For tests only: the original client's calls of its agent pages (contract §8). */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import { A, AGENT } from './ids.ts';

const NAME = { section: '8', name: '' } as const;
const COUNTS = 'config_count config_scrapper_count checks_count playbook_runs_count';

export const AGENT_CALLS: readonly Call[] = [
  {
    ...NAME,
    name: 'the list, with an empty parameter and two orders [!]',
    path: `/api/db/agents_summary?select=*,created_by(${A})&order=created_at.desc&&limit=50&offset=0&order=name.asc`,
    isCounted: true,
    columns: `id name last_seen last_received ${COUNTS} created_by`,
    atLeast: 2,
  },
  {
    ...NAME,
    name: 'names for pickers',
    path: '/api/db/agents?select=id,name,description',
    columns: 'id name description',
    atLeast: 2,
  },
  {
    ...NAME,
    name: 'the name of one',
    path: `/api/db/agents?select=id,name,description&id=eq.${AGENT}`,
    check: (json: { name: string }[]) => expect(json.map(({ name }) => name)).toEqual(['GCP']),
  },
  {
    ...NAME,
    name: 'names of some',
    path: `/api/db/agents?select=id,name,description&id=in.(${AGENT})`,
    columns: 'id name description',
    atLeast: 1,
  },
  {
    ...NAME,
    name: 'an agent without a name',
    method: 'POST',
    path: '/api/agent/generate',
    headers: { responsetype: 'blob' },
    body: {},
    status: 400,
  },
  {
    ...NAME,
    name: 'an agent is made, and its token told',
    method: 'POST',
    path: '/api/agent/generate',
    body: {
      name: 'replayed',
      properties: { region: 'eu' },
      pushTelemetry: { enabled: true, topologyName: 'shop' },
    },
    status: 201,
    check: (json: object) =>
      expect(json).toEqual({
        id: expect.any(String) as string,
        username: expect.stringMatching(/^agent-[0-9a-f]+$/) as string,
        access_token: expect.stringMatching(/^[^.]+(\.[^.]+){4}$/) as string,
      }),
  },
  {
    ...NAME,
    name: 'a name that is taken',
    method: 'POST',
    path: '/api/agent/generate',
    body: { name: 'replayed', properties: {}, pushTelemetry: { enabled: false, topologyName: '' } },
    status: 409,
  },
  {
    ...NAME,
    name: 'the form of one',
    path: `/api/db/agents_summary?select=*&id=eq.${AGENT}`,
    columns: `id name properties ${COUNTS}`,
    atLeast: 1,
  },
  {
    ...NAME,
    name: 'its properties are changed',
    method: 'PATCH',
    path: `/api/db/agents?id=eq.${AGENT}`,
    body: { properties: { region: 'us' } },
    check: (json: { properties: object }[]) => expect(json[0]?.properties).toMatchObject({ region: 'us' }),
  },
  {
    ...NAME,
    name: 'it is deleted with what it brought',
    method: 'PATCH',
    path: `/api/db/agents?id=eq.${AGENT}`,
    body: { deleted_at: 'now()', cleanup: true },
    columns: 'id deleted_at',
    atLeast: 1,
  },
  {
    ...NAME,
    name: 'the list has it no more',
    path: `/api/db/agents_summary?select=*&id=eq.${AGENT}`,
    check: (json: unknown[]) => expect(json).toEqual([]),
  },
  {
    ...NAME,
    name: 'one is deleted, and what it brought stays',
    method: 'PATCH',
    path: '/api/db/agents?name=eq.replayed',
    body: { deleted_at: 'now()' },
    columns: 'id deleted_at',
    atLeast: 1,
  },
];
