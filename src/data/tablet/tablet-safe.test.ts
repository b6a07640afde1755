import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { OUTBOX_TABLE } from '../../contract/outbox/outbox.ts';
import { answerOf, databaseNames, endOf, openDatabase } from './platform-databases.ts';
import { findPeople } from './tablet-records.ts';
import { addPerson, forgetWhatIsOver, lockAll, noteServerTime, openPerson } from './tablet-safe.ts';

const PIN = '482913';
const HOUR_MS = 3_600_000;
const [OUTBOX, ROWS, DEVICE, OTHERS] = ['anna-outbox', 'anna-rows', 'holdfast-device', 'ben-rows'] as const;

/** Its entries are its own properties, as those of a browser's are. */
class FakeStorage {
  [key: string]: unknown;
  getItem(key: string): unknown {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
  clear(): void {
    for (const key of Object.keys(this)) this.removeItem(key);
  }
}

/** A cookie jar of one; `keeps` is false where a session stands in it that pages cannot touch. */
const jar = { value: '', keeps: true };
const reported: unknown[] = [];
let nowMs = 0;

/** What the keys were asked to cost; they are made cheaper, or two thirds of these tests would be making them. */
const asked = { iterations: new Set<number>(), modulusLength: new Set<number>() };

function makeKeysCheap(): void {
  const { subtle } = crypto;
  const generateKey = subtle.generateKey.bind(subtle);
  const deriveKey = subtle.deriveKey.bind(subtle);
  vi.spyOn(subtle, 'generateKey').mockImplementation((how, ...rest) => {
    if (typeof how === 'string' || !('modulusLength' in how)) return generateKey(how, ...rest);
    asked.modulusLength.add(Number(how.modulusLength));
    const cheap = { ...how, modulusLength: 1024 };
    return generateKey(cheap, ...rest);
  });
  vi.spyOn(subtle, 'deriveKey').mockImplementation((how, ...rest) => {
    const pbkdf2 = how as Pbkdf2Params;
    asked.iterations.add(pbkdf2.iterations);
    return deriveKey({ ...pbkdf2, iterations: 1000 }, ...rest);
  });
}

beforeAll(() => {
  makeKeysCheap();
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('window', { location: { protocol: 'https:' } });
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  vi.stubGlobal('reportError', (error: unknown) => void reported.push(error));
  vi.stubGlobal('document', {
    get cookie() {
      return jar.value;
    },
    set cookie(text: string) {
      if (jar.keeps) jar.value = text.includes('max-age=0') ? '' : (text.split(';')[0] ?? '');
    },
  });
});

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('localStorage', new FakeStorage());
  vi.stubGlobal('sessionStorage', new FakeStorage());
  nowMs = 1_700_000_000_000;
  reported.length = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  jar.keeps = true;
});

async function put(name: string, value: unknown): Promise<void> {
  const database = await openDatabase(name, 1, (made) => void made.createObjectStore(OUTBOX_TABLE));
  const transaction = database.transaction(OUTBOX_TABLE, 'readwrite');
  transaction.objectStore(OUTBOX_TABLE).put(value, 1);
  await endOf(transaction);
  database.close();
}

async function get(name: string): Promise<unknown> {
  if (!(await databaseNames('holdfast-tablet')).includes(name)) return null;
  const database = await openDatabase(name);
  const value: unknown = await answerOf(database.transaction(OUTBOX_TABLE).objectStore(OUTBOX_TABLE).get(1));
  database.close();
  return value;
}

/** Anna is on, with something that was not sent. */
async function annaIsOn(): Promise<void> {
  jar.value = 'ory_kratos_session=anna';
  await addPerson({ id: 'a', label: 'Seat A', storeName: 'anna', pin: PIN, hours: 12 });
  await Promise.all([put(OUTBOX, 'not sent'), put(ROWS, 'row'), put(DEVICE, 'anna')]);
}

test('wherever a power cut falls while it is locked, nothing is left in plain and what was not sent comes back', async () => {
  await annaIsOn();
  for (const cutAt of [0, 1, 2, 3]) {
    let left = cutAt;
    const cut = vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation((name) => {
      if (left === 0) throw new Error('the power is gone');
      left -= 1;
      return IDBFactory.prototype.deleteDatabase.call(indexedDB, name);
    });
    await lockAll().catch(() => {});
    cut.mockRestore();
    const { people, lost } = await lockAll();
    expect({ lost, hasUnsent: people[0]?.hasUnsent, names: await databaseNames('holdfast-tablet') }).toEqual({
      lost: null,
      hasUnsent: true,
      names: [],
    });
    expect(await openPerson('a', PIN)).toEqual({ kind: 'open' });
    expect([await get(OUTBOX), await get(ROWS), jar.value]).toEqual([
      'not sent',
      'row',
      'ory_kratos_session=anna',
    ]);
  }
  expect(reported).toEqual([]);
});

test('where it does not all fit, what was not sent stays; what cannot be kept at all is said', async () => {
  await annaIsOn();
  const encrypt = vi.spyOn(crypto.subtle, 'encrypt').mockRejectedValueOnce(new Error('no room'));
  expect(await lockAll()).toMatchObject({ lost: null, people: [{ hasUnsent: true }] });
  await openPerson('a', PIN);
  expect([await get(OUTBOX), await get(ROWS)]).toEqual(['not sent', null]);
  encrypt.mockRejectedValueOnce(new Error('no room')).mockRejectedValueOnce(new Error('no room'));
  expect(await lockAll()).toMatchObject({ lost: 'Seat A' });
  encrypt.mockRestore();
});

test('nothing of somebody else is locked away with it, and nothing stays', async () => {
  await annaIsOn();
  await put(OTHERS, 'of Ben');
  await lockAll();
  expect(await databaseNames('holdfast-tablet')).toEqual([]);
  await openPerson('a', PIN);
  expect([await get(OTHERS), await get(OUTBOX)]).toEqual([null, 'not sent']);
});

test('the right PIN is never a wrong try, also where another session stands in the way', async () => {
  await annaIsOn();
  await lockAll();
  jar.keeps = false;
  for (let at = 0; at < 6; at += 1) expect(await openPerson('a', PIN)).toEqual({ kind: 'blocked' });
  expect(await openPerson('a', '730158')).toEqual({ kind: 'wrong', left: 4 });
  jar.keeps = true;
  expect(await openPerson('a', PIN)).toEqual({ kind: 'open' });
});

test('a tablet that lies locked deletes what is over, whoever looks', async () => {
  await annaIsOn();
  await lockAll();
  nowMs += 12 * HOUR_MS;
  expect(await forgetWhatIsOver()).toHaveLength(1);
  nowMs += 24 * HOUR_MS;
  expect(await forgetWhatIsOver()).toEqual([]);
  expect(await findPeople()).toEqual([]);
});

test('a clock that was once ahead ends no shift before its time, and keeps none for longer', async () => {
  const real = nowMs;
  nowMs = real + 10 * 365 * 24 * HOUR_MS;
  await forgetWhatIsOver();
  nowMs = real;
  await annaIsOn();
  expect((await lockAll()).people).toHaveLength(1);
  await noteServerTime(real);
  expect((await findPeople())[0]?.endsAtMs).toBe(real + 12 * HOUR_MS);
  expect(await openPerson('a', PIN)).toEqual({ kind: 'open' });
});

test('a shift that is over leaves nothing once all was sent, whatever was locked before', async () => {
  await annaIsOn();
  expect((await lockAll()).people[0]?.hasUnsent).toBe(true);
  nowMs += 13 * HOUR_MS;
  expect(await openPerson('a', PIN)).toEqual({ kind: 'open' });
  await answerOf(indexedDB.deleteDatabase(OUTBOX));
  expect(await lockAll()).toEqual({ people: [], lost: null });
});

test.each([
  { browser: 'refuses', asked: () => Promise.reject(new Error('no service worker')), reports: 1 },
  { browser: 'never answers', asked: () => new Promise(() => {}), reports: 0 },
])(
  'a browser that $browser when notifications are taken back keeps nothing in plain',
  async ({ asked, reports }) => {
    await annaIsOn();
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration: asked } });
    await lockAll();
    vi.stubGlobal('navigator', {});
    expect(await databaseNames('holdfast-tablet')).toEqual([]);
    expect(reported).toHaveLength(reports);
  },
);

test('a stolen disk and a PIN are as dear to try as OWASP asks', () => {
  expect(asked).toEqual({ iterations: new Set([600_000]), modulusLength: new Set([3072]) });
});
