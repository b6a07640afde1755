import { describe, expect, test } from 'vitest';
import type { CatchUpCard } from '../../contract/worker.ts';
import { awayText, catchUpParts } from './catch-up-parts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('how long somebody was away', () => {
  test('is said in its two greatest units', () => {
    expect(awayText(2 * HOUR + 14 * MINUTE)).toBe('2 h 14 m');
    expect(awayText(75 * HOUR + 40 * MINUTE)).toBe('3 d 3 h');
    expect(awayText(48 * HOUR)).toBe('2 d');
    expect(awayText(5 * MINUTE + 59_000)).toBe('5 m');
  });
});

const card = (part: Partial<CatchUpCard>): CatchUpCard => ({
  fromMs: 0,
  toMs: 0,
  newlyUnhealthy: [],
  recovered: [],
  incidents: [],
  comments: [],
  ...part,
});

describe('what happened meanwhile', () => {
  test('stands worst first, each part with its links', () => {
    const parts = catchUpParts(
      card({
        recovered: [{ id: 'c2', name: 'db' }],
        newlyUnhealthy: [{ id: 'c1', name: 'api' }],
        incidents: [{ id: 'i1', incidentId: 'INC-1', title: 'Down', change: 'mitigated' }],
        comments: [{ id: 'm1', incidentId: 'i1', by: 'Ada', text: 'Look, @[Bo](user:2)' }],
      }),
    );
    expect(parts.map(({ text }) => text)).toEqual([
      '1 newly unhealthy',
      '1 mitigated',
      '1 recovered',
      '1 comment to you',
    ]);
    expect(parts[0]?.links).toEqual([{ key: 'c1', text: 'api', href: '/health?checkId=c1' }]);
    expect(parts[1]?.links).toEqual([{ key: 'i1', text: 'INC-1: Down', href: '/incidents/i1' }]);
    expect(parts[3]?.links[0]?.text).toBe('Ada: Look, @Bo');
  });

  test('leaves out what did not happen', () => {
    expect(catchUpParts(card({}))).toEqual([]);
  });
});
