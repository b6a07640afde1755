import { expect, test } from 'vitest';
import { openWorkers } from './workers-proxy.ts';

test('the workers start also where what goes before them fails, which is told', async () => {
  const reports: unknown[] = [];
  let starts = 0;
  const channels = [new MessageChannel(), new MessageChannel()];
  const [sync, compute] = channels.map(({ port1 }) => port1);
  if (sync === undefined || compute === undefined) throw new Error('no ports');
  const platform = {
    report: (error: unknown) => reports.push(error),
    startWorkers: () => {
      starts += 1;
      return { sync, compute };
    },
  };
  const broken = new Error('of another build');
  openWorkers(platform, Promise.reject(broken));
  await expect.poll(() => starts).toBe(1);
  expect(reports).toEqual([broken]);
  for (const { port1, port2 } of channels) for (const port of [port1, port2]) port.close();
});
