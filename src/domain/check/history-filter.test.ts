import { describe, expect, it } from 'vitest';
import { DURATION_FILTER_ERROR, parseDurationFilter } from './history-filter.ts';

describe('duration filter', () => {
  it('takes Nms and Ns, and converts seconds to milliseconds', () => {
    expect(parseDurationFilter('250ms')).toEqual({ ok: true, minMs: 250 });
    expect(parseDurationFilter(' 5s ')).toEqual({ ok: true, minMs: 5000 });
  });

  it('All and nothing mean no filter', () => {
    expect(parseDurationFilter('All')).toEqual({ ok: true, minMs: null });
    expect(parseDurationFilter('')).toEqual({ ok: true, minMs: null });
  });

  it('refuses everything else with the text of the spec', () => {
    for (const text of ['5m', '1.5s', '-3s', 'abc', '5 s', '1e3ms', '٣s', '9999999999s']) {
      expect(parseDurationFilter(text)).toEqual({ ok: false, error: DURATION_FILTER_ERROR });
    }
  });
});
