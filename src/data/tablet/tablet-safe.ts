/**
 * What a shared tablet keeps of the people who hand it over (docs/decisions/0057). While nobody is on there is nothing of
 * anybody in plain text: every database, setting and session of who was on is one encrypted record. It runs before any
 * worker starts, on a page that shows nothing else. Invariants:
 * - Locked first, deleted then. With the locked record it is written down that nobody is on: what a cut leaves of the
 *   plain text after that is only deleted, never locked over the whole record.
 * - Put back whole: who is on is written down last; what a cut left half put back is deleted at the next start.
 * - What can't be locked is deleted; what was not sent goes last.
 * - A wrong try is counted before it is made.
 * - One tab at a time does any of it, and no page of the app is open meanwhile.
 */
import { z } from 'zod';
import { OUTBOX_TABLE } from '../../contract/outbox/outbox.ts';
import {
  endOfShift,
  isToBeWiped,
  LONGEST_SHIFT_HOURS,
  MAX_WRONG,
} from '../../domain/tablet/locked-person.ts';
import { textOfValue, valueOfText } from './value-text.ts';
import {
  clearSettings,
  leaveSession,
  readSettings,
  readToken,
  writeSettings,
  writeToken,
} from '../device/platform-tablet-person.ts';
import { deviceNow, noteLock, setTabletHere, setWhoIsOn } from '../device/platform-tablet.ts';
import { runAlone, runInTurn } from '../device/platform-tablet-tabs.ts';
import { silenceBrowser } from '../device/platform-push.ts';
import {
  databaseNames,
  databaseSchema,
  readDatabase,
  removeDatabase,
  writeDatabase,
  type DatabaseCopy,
} from './platform-databases.ts';
import { createKeys, openKeys, seal, unseal, type Sealed } from './tablet-keys.ts';
import {
  change,
  FACTS,
  findPeople,
  forgetPerson,
  ON,
  PEOPLE,
  read,
  SAFE_DB,
  SEALED,
  SEEN,
  type TabletPerson,
} from './tablet-records.ts';

/** Who was on this device last. */
const DEVICE_DB = 'holdfast-device';
/** Clocks differ by so much without being wrong. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

const contentSchema = z.object({
  databases: z.array(databaseSchema),
  settings: z.record(z.string(), z.string()),
  token: z.string().nullable(),
});

/** The clock, which nobody sets back: a shift that was over stays over. */
async function nowHere(): Promise<number> {
  const seenMs = (await read<number>(FACTS, SEEN)) ?? 0;
  const nowMs = Math.max(deviceNow(), seenMs);
  await change((transaction) => void transaction.objectStore(FACTS).put(nowMs, SEEN));
  return nowMs;
}

/** The server's time: a clock that was once ahead must not end every shift before it began, or none ever. */
export async function noteServerTime(serverMs: number): Promise<void> {
  await runInTurn(async () => {
    const seenMs = (await read<number>(FACTS, SEEN)) ?? 0;
    if (seenMs <= serverMs + CLOCK_TOLERANCE_MS) return;
    const people = await findPeople();
    await change((transaction) => {
      transaction.objectStore(FACTS).put(serverMs, SEEN);
      for (const person of people) {
        const endsAtMs = Math.min(person.endsAtMs, endOfShift(serverMs, LONGEST_SHIFT_HOURS));
        transaction.objectStore(PEOPLE).put({ ...person, endsAtMs });
      }
    });
  });
}

const isOutbox = (name: string) => name.endsWith('-outbox');
/** Names of what only this device has of somebody. */
const isOnlyHere = (name: string) => isOutbox(name) || name.endsWith('-drafts');

const hasUnsent = (databases: readonly DatabaseCopy[]) =>
  databases.some(({ name, stores }) =>
    stores.some((store) => isOutbox(name) && store.name === OUTBOX_TABLE && store.values.length > 0),
  );

/** Locks what those databases hold; from then on nobody is on. */
async function lockAway(person: TabletPerson, names: readonly string[], nowMs: number): Promise<void> {
  const databases = await Promise.all(names.map(readDatabase));
  const kept = { ...person, hasUnsent: hasUnsent(databases), wrong: 0 };
  const isOver = isToBeWiped(kept, nowMs);
  const text = textOfValue({ databases, settings: readSettings(), token: readToken() });
  const sealed = isOver ? null : await seal(person.keys, new TextEncoder().encode(text));
  await change((transaction) => {
    transaction.objectStore(FACTS).delete(ON);
    if (sealed === null) {
      // Also what was locked before, which may say that something was not sent.
      for (const table of [PEOPLE, SEALED]) transaction.objectStore(table).delete(person.id);
      return;
    }
    transaction.objectStore(PEOPLE).put(kept);
    transaction.objectStore(SEALED).put(sealed, person.id);
  });
}

/** Where there is no room for all of it, what the server has as well is given up for what only this device has. */
async function lockWhatFits(person: TabletPerson, names: readonly string[], nowMs: number): Promise<void> {
  try {
    await lockAway(person, names, nowMs);
  } catch (error) {
    reportError(error);
    for (const name of names) if (!isOnlyHere(name)) await removeDatabase(name);
    await lockAway(person, names.filter(isOnlyHere), nowMs);
  }
}

/** Deletes all that is not locked. */
async function clearPlain(names: readonly string[]): Promise<void> {
  await change((transaction) => void transaction.objectStore(FACTS).delete(ON));
  // Whatever the browser makes of it, what is here is deleted.
  await silenceBrowser().catch((error: unknown) => reportError(error));
  const isReadable = readToken() !== null;
  for (const name of names) await removeDatabase(name);
  clearSettings();
  writeToken(null);
  // A session that the page can't take away would be the next person's.
  if (names.length > 0 && !isReadable) await leaveSession();
}

/** Who can come back, and whose unsent changes could not be kept. */
export interface Locked {
  people: TabletPerson[];
  lost: string | null;
}

async function lockNow(): Promise<Locked> {
  const nowMs = await nowHere();
  const names = await databaseNames(SAFE_DB);
  const on = await read<string>(FACTS, ON);
  const person = (await findPeople()).find(({ id }) => id === on);
  let lost: string | null = null;
  if (person !== undefined) {
    const { storeName } = person;
    const isOwn = (name: string) =>
      storeName === undefined || name === DEVICE_DB || name.includes(`${storeName}-`);
    await lockWhatFits(person, names.filter(isOwn), nowMs).catch((error: unknown) => {
      reportError(error);
      lost = person.label;
    });
  }
  await clearPlain(names);
  return { people: await forgetOver(nowMs), lost };
}

async function forgetOver(nowMs: number): Promise<TabletPerson[]> {
  const on = await read<string>(FACTS, ON);
  for (const one of await findPeople())
    if (one.id !== on && isToBeWiped(one, nowMs)) await forgetPerson(one.id);
  return findPeople();
}

/** Locks away what is there of whoever was on, deletes the rest and what is over. */
export function lockAll(): Promise<Locked> {
  return runAlone(noteLock, lockNow);
}

/** Deletes what is over, for a tablet that stays on its locked page; answers who can still come back. */
export function forgetWhatIsOver(): Promise<TabletPerson[]> {
  return runInTurn(async () => forgetOver(await nowHere()));
}

/** Nobody is kept here any more: it was revoked. */
export function forgetTablet(): Promise<void> {
  return runAlone(noteLock, async () => {
    await clearPlain(await databaseNames(SAFE_DB));
    await removeDatabase(SAFE_DB);
    setTabletHere(null);
  });
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
  await change((transaction) => void transaction.objectStore(FACTS).put(person.id, ON));
  setWhoIsOn(person.id);
  return true;
}

/** `blocked`: somebody else's session is still in the browser, and only the server can end it. */
export type Opened = { kind: 'open' | 'blocked' } | { kind: 'wrong'; left: number } | { kind: 'wiped' };

async function openNow(id: string, pin: string): Promise<Opened> {
  const { people } = await lockNow();
  const person = people.find((one) => one.id === id);
  if (person === undefined) return { kind: 'wiped' };
  const count = (wrong: number) =>
    change((transaction) => void transaction.objectStore(PEOPLE).put({ ...person, wrong }));
  const wrong = person.wrong + 1;
  await count(wrong);
  const privateKey = await openKeys(person.keys, pin);
  if (privateKey !== null) {
    await count(0);
    return { kind: (await putBack(person, privateKey)) ? 'open' : 'blocked' };
  }
  if (wrong < MAX_WRONG) return { kind: 'wrong', left: MAX_WRONG - wrong };
  await forgetPerson(id);
  return { kind: 'wiped' };
}

/** Puts everything of a person back where it was. With the last wrong PIN it is deleted. */
export function openPerson(id: string, pin: string): Promise<Opened> {
  return runAlone(noteLock, () => openNow(id, pin));
}

/** Gives whoever is signed in a PIN; from now on what is his is locked away for him. Answers his id. */
export async function addPerson(asked: {
  id: string;
  label: string;
  storeName: string;
  pin: string;
  hours: number;
}): Promise<string> {
  const { id, label, storeName, pin, hours } = asked;
  const token = readToken();
  if (token === null) throw new Error('the session of a shared tablet is not readable');
  const keys = await createKeys(pin);
  const session = await seal(keys, new TextEncoder().encode(token));
  const endsAtMs = endOfShift(await nowHere(), hours);
  const who = { id, label, storeName, endsAtMs };
  const person: TabletPerson = { ...who, keys, session, wrong: 0, hasUnsent: false };
  await change((transaction) => {
    transaction.objectStore(PEOPLE).put(person);
    transaction.objectStore(FACTS).put(id, ON);
  });
  return id;
}
