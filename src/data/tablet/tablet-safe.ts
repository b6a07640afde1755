/**
 * What a shared tablet keeps of the people who hand it over (docs/decisions/0057). While nobody is on there is nothing of
 * anybody in plain text: every database, setting and session of who was on is one encrypted record. It runs before any
 * worker starts, on a page that shows nothing else. Invariants:
 * - Locked first, deleted then: a cut in between locks it again at the next start.
 * - Put back whole: who is on is written down last; what a cut left half put back is deleted at the next start.
 * - What can't be locked is deleted.
 * - A wrong try is counted before it is made.
 */
import { z } from 'zod';
import { OUTBOX_TABLE } from '../../contract/outbox.ts';
import { isToBeWiped, MAX_WRONG, type ShiftFacts } from '../../domain/tablet/locked-person.ts';
import { textOfValue, valueOfText } from './value-text.ts';
import {
  clearSettings,
  deviceNow,
  leaveSession,
  readSettings,
  readToken,
  setTabletHere,
  writeSettings,
  writeToken,
} from '../device/platform-tablet.ts';
import {
  answerOf,
  databaseNames,
  databaseSchema,
  endOf,
  openDatabase,
  readDatabase,
  removeDatabase,
  writeDatabase,
  type DatabaseCopy,
} from './platform-databases.ts';
import { createKeys, openKeys, seal, unseal, type PersonKeys, type Sealed } from './tablet-keys.ts';

const SAFE_DB = 'holdfast-tablet';
const [PEOPLE, SEALED, FACTS] = ['people', 'sealed', 'facts'] as const;
const [ON, SEEN] = ['on', 'seenMs'] as const;

/** Somebody with a PIN here; `label` is what he chose to be seen of him. */
export interface TabletPerson extends ShiftFacts {
  id: string;
  label: string;
  keys: PersonKeys;
  /** The session's token. */
  session: Sealed;
  wrong: number;
}

const contentSchema = z.object({
  databases: z.array(databaseSchema),
  settings: z.record(z.string(), z.string()),
  token: z.string().nullable(),
});

async function withSafe<T>(run: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase(SAFE_DB, 1, (made) => {
    made.createObjectStore(PEOPLE, { keyPath: 'id' });
    made.createObjectStore(SEALED);
    made.createObjectStore(FACTS);
  });
  try {
    return await run(database);
  } finally {
    database.close();
  }
}

/** On the disk when it resolves. */
function change(write: (transaction: IDBTransaction) => void): Promise<void> {
  return withSafe((database) => {
    const transaction = database.transaction([PEOPLE, SEALED, FACTS], 'readwrite', { durability: 'strict' });
    write(transaction);
    return endOf(transaction);
  });
}

function read<T>(table: string, key: string): Promise<T | undefined> {
  return withSafe(async (database) => {
    const store = database.transaction(table).objectStore(table);
    return z.custom<T | undefined>().parse(await answerOf(store.get(key)));
  });
}

/** Who has a PIN here, the longest first. */
export function findPeople(): Promise<TabletPerson[]> {
  return withSafe(async (database) => {
    const all = await answerOf(database.transaction(PEOPLE).objectStore(PEOPLE).getAll());
    return z.array(z.custom<TabletPerson>()).parse(all);
  });
}

/** Deletes what is locked of a person. */
export function forgetPerson(id: string): Promise<void> {
  return change((transaction) => {
    transaction.objectStore(PEOPLE).delete(id);
    transaction.objectStore(SEALED).delete(id);
  });
}

/** The clock, which nobody sets back: a shift that was over stays over. */
async function nowHere(): Promise<number> {
  const seenMs = (await read<number>(FACTS, SEEN)) ?? 0;
  const nowMs = Math.max(deviceNow(), seenMs);
  await change((transaction) => void transaction.objectStore(FACTS).put(nowMs, SEEN));
  return nowMs;
}

const hasUnsent = (databases: readonly DatabaseCopy[]) =>
  databases.some(({ name, stores }) =>
    stores.some(
      (store) => name.endsWith('-outbox') && store.name === OUTBOX_TABLE && store.values.length > 0,
    ),
  );

async function lockAway(person: TabletPerson, names: readonly string[], nowMs: number): Promise<void> {
  const databases = await Promise.all(names.map(readDatabase));
  const kept = { ...person, hasUnsent: hasUnsent(databases), wrong: 0 };
  if (isToBeWiped(kept, nowMs)) return;
  const text = textOfValue({ databases, settings: readSettings(), token: readToken() });
  const sealed = await seal(person.keys, new TextEncoder().encode(text));
  await change((transaction) => {
    transaction.objectStore(PEOPLE).put(kept);
    transaction.objectStore(SEALED).put(sealed, person.id);
  });
}

/** Deletes all that is not locked. */
async function clearPlain(names: readonly string[]): Promise<void> {
  for (const name of names) await removeDatabase(name);
  clearSettings();
  writeToken(null);
  await change((transaction) => void transaction.objectStore(FACTS).delete(ON));
}

async function lockNow(): Promise<TabletPerson[]> {
  const nowMs = await nowHere();
  const names = await databaseNames(SAFE_DB);
  const on = await read<string>(FACTS, ON);
  const person = (await findPeople()).find(({ id }) => id === on);
  try {
    if (person !== undefined) await lockAway(person, names, nowMs);
  } catch (error) {
    reportError(error);
  }
  await clearPlain(names);
  for (const one of await findPeople()) if (isToBeWiped(one, nowMs)) await forgetPerson(one.id);
  return findPeople();
}

let lastLock: Promise<unknown> = Promise.resolve();

/** Locks away what is there of whoever was on, deletes the rest and what is over; answers who can come back. */
export function lockAll(): Promise<TabletPerson[]> {
  // One after the other: a second one must not find the first one's work half done.
  const lock = lastLock.then(lockNow, lockNow);
  lastLock = lock;
  return lock;
}

/** Nobody is kept here any more: it was revoked. */
export async function forgetTablet(): Promise<void> {
  await clearPlain(await databaseNames(SAFE_DB));
  await removeDatabase(SAFE_DB);
  setTabletHere(null);
}

/** A session that this page can't read stands in the way of one that it puts back: it is ended first. */
async function placeToken(token: string): Promise<boolean> {
  writeToken(token);
  if (readToken() === token) return true;
  if (!(await leaveSession())) return false;
  writeToken(token);
  return readToken() === token;
}

/** False where the session could not be put back: then nothing was. */
async function putBack(person: TabletPerson, privateKey: CryptoKey): Promise<boolean> {
  const sealed = await read<Sealed>(SEALED, person.id);
  const textOf = async (one: Sealed) => new TextDecoder().decode(await unseal(privateKey, one));
  const content = sealed === undefined ? null : contentSchema.parse(valueOfText(await textOf(sealed)));
  if (!(await placeToken(content?.token ?? (await textOf(person.session))))) return false;
  await Promise.all((content?.databases ?? []).map(writeDatabase));
  writeSettings(content?.settings ?? {});
  await change((transaction) => {
    transaction.objectStore(PEOPLE).put({ ...person, wrong: 0 });
    transaction.objectStore(FACTS).put(person.id, ON);
  });
  return true;
}

/** `blocked`: somebody else's session is still in the browser, and only the server can end it. */
export type Opened = { kind: 'open' | 'blocked' } | { kind: 'wrong'; left: number } | { kind: 'wiped' };

/** Puts everything of a person back where it was. With the last wrong PIN it is deleted. */
export async function openPerson(id: string, pin: string): Promise<Opened> {
  const person = await read<TabletPerson>(PEOPLE, id);
  if (person === undefined || isToBeWiped(person, await nowHere())) {
    await forgetPerson(id);
    return { kind: 'wiped' };
  }
  const wrong = person.wrong + 1;
  await change((transaction) => void transaction.objectStore(PEOPLE).put({ ...person, wrong }));
  const privateKey = await openKeys(person.keys, pin);
  if (privateKey !== null) return { kind: (await putBack(person, privateKey)) ? 'open' : 'blocked' };
  if (wrong < MAX_WRONG) return { kind: 'wrong', left: MAX_WRONG - wrong };
  await forgetPerson(id);
  return { kind: 'wiped' };
}

/** Gives whoever is signed in a PIN; from now on what is his is locked away for him. Answers his id. */
export async function addPerson(asked: {
  id: string;
  label: string;
  pin: string;
  endsAtMs: number;
}): Promise<string> {
  const { id, label, pin, endsAtMs } = asked;
  const token = readToken();
  if (token === null) throw new Error('the session of a shared tablet is not readable');
  const keys = await createKeys(pin);
  const session = await seal(keys, new TextEncoder().encode(token));
  const person: TabletPerson = { id, label, keys, session, endsAtMs, wrong: 0, hasUnsent: false };
  await change((transaction) => {
    transaction.objectStore(PEOPLE).put(person);
    transaction.objectStore(FACTS).put(id, ON);
  });
  return id;
}
