/** Watches, while the world goes on, what the app shows of its outbox: promises that hold at every moment. */
import { commandNamed } from '../../src/contract/commands/all-commands.ts';
import type { OutboxItem, OutboxView } from '../../src/contract/outbox/outbox.ts';
import { storedRows } from './device-view.ts';
import type { SimDevice, Tab } from './sim-device.ts';
import { existingIds } from './sim-query.ts';
import type { World } from './world.ts';

interface Seen {
  device: SimDevice;
  tab: Tab;
  view: OutboxView;
}

/** What a command makes that can be looked for. */
function createdBy(item: OutboxItem): string[] {
  const definition = commandNamed(item.name);
  const args = definition?.args.safeParse(item.args);
  return definition === undefined || args?.success !== true ? [] : definition.creates(args.data);
}

/** What left the outbox was done: it has to be among the rows in that very moment (law 5). */
async function checkSeen(world: World, { device, tab }: Seen, gone: readonly OutboxItem[]): Promise<void> {
  const created = gone.flatMap(createdBy);
  if (created.length === 0 || tab.session.kind !== 'signed-in') return;
  const { storeName } = tab.session.user;
  const [there, incidents, records] = await Promise.all([
    existingIds(world.server.database),
    storedRows(device, storeName, 'incidents'),
    storedRows(device, storeName, 'incident_records'),
  ]);
  if (incidents === null || records === null) return;
  const stored = new Set([...incidents, ...records].map((row) => row.id));
  for (const id of created) {
    if (there.has(id) && !stored.has(id))
      world.oracle.break('done means seen', `${tab.name} let go of a command before its row ${id} was there`);
  }
}

/** Takes a new view of an outbox into the oracle. */
export function watchPromises(world: World, seen: Seen): void {
  const { device, tab, view } = seen;
  const { oracle } = world;
  const before = oracle.shown.get(device.name) ?? new Set<string>();
  oracle.see(device.name, view);
  if (tab.session.kind !== 'signed-in') return;
  const person = tab.session.user.id;
  for (const { commandId, userId } of view.items) {
    if (userId !== person) oracle.break('user data', `${tab.name} shows ${commandId} of somebody else`);
  }
  const now = new Set(view.items.map((item) => item.commandId));
  const gone = [...before].flatMap((id) => {
    const item = oracle.told.get(id);
    return !now.has(id) && item?.state.kind === 'accepted' && item.userId === person ? [item] : [];
  });
  if (gone.length > 0) {
    checkSeen(world, seen, gone).catch((error: unknown) => oracle.break('simulator', String(error)));
  }
}
