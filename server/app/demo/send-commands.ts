/** Sends the demo's commands in the names of its people, one after the other. What is there already is left out. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { CommandService } from '../../replication/commands/command-service.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DemoClient } from './demo-client.ts';
import { DEMO_PEOPLE, mailOf } from './demo-company.ts';
import type { DemoPerson } from './demo-company.ts';
import type { DemoCommand } from './demo-incidents.ts';
import type { PeopleIds } from './demo-records.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

/** What each command makes a row of. */
const TABLES = lookupTable<string>({
  create_incident: 'incidents',
  create_hypothesis: 'hypotheses',
  add_evidence: 'evidences',
  add_comment: 'comments',
  add_responder: 'responders',
});
const idRow = z.object({ id: z.string() });

export interface SendDeps {
  client: DemoClient;
  commands: Pick<CommandService, 'handle'>;
  platform: Platform;
  people: PeopleIds;
}

interface Device {
  principal: Principal;
  deviceId: string;
  lastSeq: number;
}

function deviceOf({ key, first, last, role, ...rest }: DemoPerson, { people, platform }: SendDeps): Device {
  const personId = people.get(key);
  if (personId === undefined) throw new AppError('server', `the demo has nobody called ${key}`);
  return {
    deviceId: platform.newId(),
    lastSeq: 0,
    principal: {
      personId,
      sessionId: null,
      name: `${first} ${last}`,
      email: mailOf({ key, first, last, role, ...rest }),
      avatar: null,
      type: null,
      externalId: null,
      roles: [role],
    },
  };
}

/** Ids of rows that an earlier, interrupted load has made. */
async function madeBefore(client: DemoClient, wanted: readonly DemoCommand[]): Promise<ReadonlySet<string>> {
  const made = new Set<string>();
  for (const [command, table] of Object.entries(TABLES)) {
    const ids = wanted.filter(({ name }) => name === command).map(({ args }) => String(args['id']));
    const rows = await client.read({ table, search: `select=id&id=in.(${ids.join(',')})`, row: idRow });
    for (const { id } of rows) made.add(id);
  }
  return made;
}

/** Throws when one is refused. */
export async function sendCommands(deps: SendDeps, wanted: readonly DemoCommand[]): Promise<void> {
  const { client, commands, platform } = deps;
  const made = await madeBefore(client, wanted);
  const devices = new Map(DEMO_PEOPLE.map((person) => [person.key, deviceOf(person, deps)]));
  for (const { by, name, args } of wanted) {
    const device = devices.get(by);
    const isDone = name in TABLES && made.has(String(args['id']));
    if (device === undefined || isDone) continue;
    device.lastSeq += 1;
    const envelope = { seq: device.lastSeq, commandId: platform.newId(), name, version: 1, args };
    const batch = { deviceId: device.deviceId, commands: [{ ...envelope, basedOn: null, expiresAt: null }] };
    const { results } = await commands.handle(device.principal, batch);
    const outcome = results[0]?.outcome;
    // A status that was changed before the interruption can't be left again.
    if (outcome?.kind === 'applied' || (name === 'set_incident_status' && outcome?.kind === 'refused'))
      continue;
    throw new AppError('server', `the demo's ${name} was not done: ${outcome?.message ?? 'out of order'}`);
  }
}
