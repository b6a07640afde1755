import { expect, test, vi } from 'vitest';
import { OpenParts } from './open-parts.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a subscription is closed once, by its own end or with the page', async () => {
  const parts = new OpenParts(vi.fn());
  const close = vi.fn(() => Promise.resolve());
  const end = parts.follow(Promise.resolve({ close }));
  end();
  end();
  parts.closeAll();
  await settled();
  expect(close).toHaveBeenCalledTimes(1);
});

test('what fails is reported once: opening, or closing what was opened', async () => {
  const report = vi.fn();
  const parts = new OpenParts(report);
  const [opening, closing] = [new Error('not opened'), new Error('not closed')];
  parts.follow(Promise.reject(opening))();
  parts.follow(Promise.resolve({ close: () => Promise.reject(closing) }))();
  await settled();
  expect(report.mock.calls).toEqual([[opening], [closing]]);
});
