/** What two looks at the clocks mean. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jumpBetween, JUMP_MS, needsNetwork, STOPPED_MS } from './sight.ts';

const anyLook = fc.record({
  wallMs: fc.integer({ min: 0, max: 2e12 }),
  elapsedMs: fc.integer({ min: 0, max: 1e9 }),
});

test('clocks that run together, or are set by little, did not jump', () => {
  const anyPass = fc.integer({ min: 0, max: STOPPED_MS });
  const anySlip = fc.integer({ min: -JUMP_MS, max: JUMP_MS });
  fc.assert(
    fc.property(anyLook, anyPass, anySlip, (look, passedMs, slipMs) => {
      const now = { wallMs: look.wallMs + passedMs + slipMs, elapsedMs: look.elapsedMs + passedMs };
      expect(jumpBetween(look, now)).toBeNull();
    }),
  );
});

test('a machine that slept, a program that was stopped and a clock that was put forward saw nothing in between', () => {
  const look = { wallMs: 1_000_000, elapsedMs: 500 };
  const slept = { wallMs: 8_000_000, elapsedMs: 5500 };
  expect(jumpBetween(look, slept)).toEqual({ kind: 'gap', sinceMs: 1_000_000, untilMs: 8_000_000 });
  const stopped = { wallMs: 1_000_000 + STOPPED_MS + 1, elapsedMs: 501 + STOPPED_MS };
  expect(jumpBetween(look, stopped)?.kind).toBe('gap');
});

test('a clock that was put back says by how much', () => {
  const jump = jumpBetween({ wallMs: 5_000_000, elapsedMs: 0 }, { wallMs: 1_405_000, elapsedMs: 5000 });
  expect(jump).toEqual({ kind: 'back', byMs: 3_600_000, atMs: 1_405_000 });
});

test('what is looked at on the machine itself needs no network', () => {
  expect(['http', 'tcp', 'dns', 'icmp'].every(needsNetwork)).toBe(true);
  expect(['exec', 'folder'].some(needsNetwork)).toBe(false);
});
