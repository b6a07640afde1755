import { describe, expect, test } from 'vitest';
import { IDBFactory } from 'fake-indexeddb';
import { ProcessGuard } from './process-guard.ts';
import { createRandom } from './seeded-random.ts';
import { SimDisk } from './sim-disk.ts';
import { SimLocks } from './sim-locks.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('virtual time', () => {
  test('fires timers in order of their time and stands where it was told to', async () => {
    const clock = new VirtualClock(0);
    const fired: string[] = [];
    clock.after(20, () => fired.push(`b at ${clock.now()}`));
    clock.after(10, () => {
      fired.push(`a at ${clock.now()}`);
      clock.after(5, () => fired.push(`c at ${clock.now()}`));
    });
    const cancel = clock.after(12, () => fired.push('never'));
    cancel();
    await clock.run(100);
    expect(fired).toEqual(['a at 10', 'c at 15', 'b at 20']);
    expect(clock.now()).toBe(100);
  });

  test('waits for databases before it goes on', async () => {
    const clock = new VirtualClock(0);
    const order: string[] = [];
    const request = new IDBFactory().open('one', 1);
    request.onsuccess = () => order.push('opened');
    clock.after(1, () => order.push('timer'));
    await clock.run(5);
    expect(order).toEqual(['opened', 'timer']);
  });

  test('waits for work outside', async () => {
    const clock = new VirtualClock(0);
    const order: string[] = [];
    void clock.hold(new Promise((resolve) => setTimeout(resolve, 30))).then(() => order.push('work'));
    clock.after(1, () => order.push('timer'));
    await clock.run(5);
    expect(order).toEqual(['work', 'timer']);
  });
});

describe('a simulated worker', () => {
  test('hears nothing once it is dead, and everything in order after it was frozen', () => {
    const life = new ProcessGuard();
    const heard: number[] = [];
    life.freeze();
    life.enter(() => heard.push(1));
    life.enter(() => heard.push(2));
    expect(heard).toEqual([]);
    life.thaw();
    expect(heard).toEqual([1, 2]);
    life.die();
    life.enter(() => heard.push(3));
    expect(heard).toEqual([1, 2]);
  });

  test('takes its uncommitted transaction along when it dies', async () => {
    const clock = new VirtualClock(0);
    const disk = new SimDisk();
    const life = new ProcessGuard();
    const request = disk.door(life).open('db', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('table');
    await clock.settle();
    request.result.transaction(['table'], 'readwrite').objectStore('table').put('kept', 1);
    await clock.settle();
    request.result.transaction(['table'], 'readwrite').objectStore('table').put('lost', 2);
    life.die();
    await clock.settle();
    const reading = disk.readAll('db');
    await clock.settle();
    expect(await reading).toEqual({ table: ['kept'] });
  });

  test('loses its lock when it dies and when somebody takes it', async () => {
    const clock = new VirtualClock(0);
    const locks = new SimLocks(clock);
    const [first, second, third] = [new ProcessGuard(), new ProcessGuard(), new ProcessGuard()];
    const got: string[] = [];
    const forever = new Promise<void>(() => {});
    const { signal } = new AbortController();
    const hold = (life: ProcessGuard, name: string, steal = false) =>
      void locks.hold(life, { name: 'lock', signal, steal }, (lost) => {
        got.push(name);
        lost.addEventListener('abort', () => got.push(`${name} lost it`));
        return forever;
      });
    hold(first, 'first');
    hold(second, 'second');
    await clock.run(10);
    expect(got).toEqual(['first']);
    first.die();
    expect(got).toEqual(['first', 'second']);
    hold(third, 'third', true);
    await clock.run(10);
    expect(got).toEqual(['first', 'second', 'second lost it', 'third']);
  });
});

test('a seed says everything', () => {
  const draw = (seed: string) => {
    const random = createRandom(seed);
    return [random.guid(), random.int(1, 6), random.fork('x').next()];
  };
  expect(draw('a')).toEqual(draw('a'));
  expect(draw('a')).not.toEqual(draw('b'));
});
