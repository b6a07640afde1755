/** Judges devices: what each has in the end is what the server shows its user, and nothing is left unsent. */
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';
import { snapshotPageSchema } from '../../src/contract/sync.ts';
import { storedRows } from './device-view.ts';
import type { SimDevice, Tab } from './sim-device.ts';
import { ORIGIN_HOST } from './sim-server.ts';
import { SNAPSHOT_PATH } from './wire.ts';
import type { Inhabitant, World } from './world.ts';

/** Compared field by field. */
const WHOLE: readonly CollectionName[] = ['incidents', 'incident_records'];
/** Compared by who is there: their figures move by themselves. */
const BY_ID: readonly CollectionName[] = ['checks', 'canaries', 'resources', 'connections'];

type Rows = Map<string, ReplicatedRow>;

/** The server shows a device nothing at all, for example because its session has ended. */
class Unanswered extends Error {}

/** What the server shows this device's user; null when the user may not see it. */
async function serverRows(world: World, device: SimDevice, collection: CollectionName): Promise<Rows | null> {
  const rows: Rows = new Map();
  for (let after: string | null = ''; after !== null;) {
    const query = new URLSearchParams({ collection, limit: '1000', ...(after === '' ? {} : { after }) });
    const answer = await world.server.request({
      method: 'GET',
      path: `${SNAPSHOT_PATH}?${query.toString()}`,
      headers: { host: ORIGIN_HOST, ...device.link.cookieHeader() },
      body: null,
    });
    if (answer.status === 403) return null;
    if (answer.status !== 200) throw new Unanswered(`the server answers ${answer.status} ${answer.body}`);
    const page = snapshotPageSchema.parse(JSON.parse(answer.body));
    for (const row of page.rows) rows.set(row.id, row);
    after = page.next;
  }
  return rows;
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

/** The first difference in plain words; null when there is none. */
function difference(mine: Rows, theirs: Rows, isWhole: boolean): string | null {
  for (const [id, row] of theirs) {
    const own = mine.get(id);
    if (own === undefined) return `lacks ${id}`;
    if (isWhole && !isSame(own, row))
      return `has ${JSON.stringify(own)} where the server has ${JSON.stringify(row)}`;
  }
  for (const id of mine.keys()) if (!theirs.has(id)) return `still has ${id}`;
  return null;
}

async function differenceOf(world: World, { device }: Inhabitant, tab: Tab): Promise<string | null> {
  if (tab.session.kind !== 'signed-in') return `is ${tab.session.kind}`;
  const { storeName } = tab.session.user;
  for (const collection of [...WHOLE, ...BY_ID]) {
    const theirs = await serverRows(world, device, collection);
    const mine = await storedRows(device, storeName, collection);
    if (mine === null && theirs !== null) return `${collection} was never loaded`;
    const rows: Rows = new Map((mine ?? []).map((row) => [row.id, row]));
    const found = difference(rows, theirs ?? new Map<string, ReplicatedRow>(), WHOLE.includes(collection));
    if (found !== null) return `${collection} ${found}`;
  }
  return null;
}

/** What is not yet as it should be on a device; null when all is. */
export async function unrest(world: World, one: Inhabitant): Promise<string | null> {
  const { device } = one;
  const tab = device.liveTab();
  if (device.tabs.length === 0) return 'has no tab open';
  if (tab === null)
    return `nobody is signed in (${device.tabs.map(({ session }) => session.kind).join(', ')})`;
  const waiting = unsent(tab);
  if (waiting > 0) return `${waiting} commands are not sent`;
  try {
    return await differenceOf(world, one, tab);
  } catch (error) {
    // The device doesn't know yet; it has to find out by itself.
    if (error instanceof Unanswered) return error.message;
    throw error;
  }
}

/** Commands that are still on their way. */
export function unsent(tab: Tab): number {
  return (tab.outbox?.items ?? []).filter((item) => item.state.kind !== 'refused').length;
}
