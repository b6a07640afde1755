/** For tests only: actions of playbooks, one for each place of their schemas that takes a text, and what doing one leaves. */
import { z } from 'zod';
import type { PlaybookService } from '../../../server/playbooks/running/playbook-service.ts';
import { nodePlatform } from '../../../server/platform/platform.ts';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import { markedPlaces } from './marked-specs.ts';

export interface ActionPlace {
  kind: string;
  spec: unknown;
  /** Of its playbook. */
  env: unknown[];
}

interface Given {
  marks: readonly unknown[];
  bases: readonly object[];
  /** The address of whoever wants to hear secrets. */
  stranger: string;
  env: readonly unknown[][];
}

/** What has to stand around a place of a kind; of one that is not named, an address alone. */
const around = (stranger: string): Readonly<Record<string, (base: object) => object>> => ({
  // Whatever an environment holds is written down.
  exec: () => ({ script: 'env' }),
  sql: () => ({
    driver: 'postgres',
    query: 'select 1',
    connection: `postgres://u:$(password)@${stranger.slice('http://'.length)}/x`,
  }),
  pod: () => ({ name: 'p', spec: { containers: [{ name: 'a', image: 'a' }] }, connection: 'prod' }),
  gitops: (base) => ({
    repo: { ...base, type: 'github' },
    commit: { message: 'm' },
    files: [{ path: 'a', content: 'b' }],
  }),
  notification: (base) => ({ ...base, title: 't', message: 'm' }),
  github: () => ({ repo: 'o/r', username: 'u', token: 't' }),
  azureDevopsPipeline: () => ({ org: 'o', project: 'p', token: 't', pipeline: { id: '1' } }),
});

const address = z.object({ url: z.string().optional(), connection: z.string().optional() });

/** Those that can be read, of every kind that there is; throws for a kind of which none can. */
export function actionPlaces({ marks, bases, stranger, env }: Given, draw: () => number): ActionPlace[] {
  const beside = around(stranger);
  return Object.entries(PLAYBOOK_ACTIONS).flatMap(([kind, schema]) => {
    const places = markedPlaces(schema).flatMap((make) => {
      const { url, connection } = address.parse(bases[draw() % bases.length]);
      const base = connection === undefined ? { url } : { connection };
      const needs = beside[kind] ?? ((own: object) => own);
      const spec = make(needs(base), marks[draw() % marks.length]);
      return schema.safeParse(spec).success ? [{ kind, spec, env: env[draw() % env.length] ?? [] }] : [];
    });
    if (places.length === 0) throw new Error(`${kind}: say what stands around its places`);
    return places;
  });
}

/** Everything that is kept and shown of it, when it is done. */
export async function performPlace(
  playbooks: Pick<PlaybookService, 'performHanded'>,
  { kind, spec, env }: ActionPlace,
): Promise<string> {
  const written: unknown[] = [];
  const id = nodePlatform.newId();
  const { end } = await playbooks.performHanded(
    {
      id,
      run_id: id,
      playbook_id: id,
      name: kind,
      spec: { name: kind, timeout: '3s', [kind]: spec },
      env,
      parameters: {},
      secret_parameters: [],
      variables: {},
      actions: [],
    },
    {
      signal: new AbortController().signal,
      stopReason: () => 'cancelled',
      store: async (pieces) => void written.push(...pieces),
    },
  );
  return JSON.stringify([end, written]);
}
