import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  frameName,
  isFrameOld,
  isFrameStored,
  readFrame,
  writeFrame,
  type FirstFrame,
} from './first-frame.ts';

const FRAME: FirstFrame = {
  widthPx: 1440,
  untilMs: null,
  styles: ['/assets/index.css'],
  nodes: [['div', { class: 'row' }, 'payments <b>', ['svg', {}]]],
};

test('a frame is read as it was written, by the build that wrote it, at the width that it is of', () => {
  const text = writeFrame(FRAME, 'build 1');
  expect(readFrame(text, { build: 'build 1', widthPx: 1440 })).toEqual(FRAME);
  expect(readFrame(text, { build: 'build 2', widthPx: 1440 })).toBeNull();
  expect(readFrame(text, { build: 'build 1', widthPx: 390 })).toBeNull();
  expect(readFrame(null, { build: 'build 1', widthPx: 1440 })).toBeNull();
});

test('a text that is cut anywhere, or no frame, is as good as none', () => {
  const text = writeFrame(FRAME, 'build 1');
  const moment = { build: 'build 1', widthPx: 1440 };
  fc.assert(
    fc.property(fc.nat({ max: text.length - 1 }), (end) => {
      expect(readFrame(text.slice(0, end), moment)).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.string(), (body) => {
      expect(readFrame(`build 1 ${body.length}\n${body}`, moment)).toBeNull();
    }),
  );
});

test('what a frame says of health is over once a check may be overdue, also by a clock that is none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), (untilMs, nowMs) => {
      expect(isFrameOld({ untilMs }, nowMs)).toBe(nowMs >= untilMs);
      expect(isFrameOld({ untilMs }, Number.NaN)).toBe(true);
      expect(isFrameOld({ untilMs: null }, nowMs)).toBe(false);
    }),
  );
});

test('each address has a frame of its own', () => {
  const names = [
    { pathname: '/health', search: '' },
    { pathname: '/health', search: '?query=a' },
    { pathname: '/catalog', search: '' },
  ].map(frameName);
  expect(new Set(names).size).toBe(names.length);
  const keys = ['holdfast.session', `holdfast.window:a:b:${names[1]}`];
  expect(isFrameStored(keys, { pathname: '/health', search: '?query=a' })).toBe(true);
  expect(isFrameStored(keys, { pathname: '/health', search: '' })).toBe(false);
});
