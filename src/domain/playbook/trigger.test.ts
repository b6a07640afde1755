import { describe, expect, it } from 'vitest';
import { hasLabels, TRIGGER_EVENTS, triggersFor } from './trigger.ts';

describe('triggers', () => {
  const failed = { event: 'failed', labels: { app: 'shop' } };
  const on = { canary: [{ event: 'passed' }, failed], config: [{ event: 'failed' }] };

  it('an event means the triggers of its own area and name', () => {
    expect(triggersFor(on, 'check.failed')).toEqual([{ area: 'canary', trigger: failed }]);
    expect(triggersFor(on, 'canary.failed')).toEqual([]);
    expect(triggersFor({}, 'check.failed')).toEqual([]);
  });

  it('every event of the contract is known to the queue by its name', () => {
    expect(TRIGGER_EVENTS).toContain('check.failed');
    expect(TRIGGER_EVENTS).toContain('component.warning');
    expect(new Set(TRIGGER_EVENTS).size).toBe(18);
  });

  it.each([
    [{ app: 'shop' }, { app: 'shop', tier: '1' }, true],
    [{ app: 'shop,other' }, { app: 'other' }, true],
    [{ app: '!shop' }, { app: 'shop' }, false],
    [{ app: '!shop' }, {}, true],
    [{ app: 'shop' }, {}, false],
    [{ app: '' }, {}, false],
    [{ tier: 1 }, { tier: '1' }, true],
    [{ toString: 'x' }, {}, false],
  ])('labels %j of a trigger against %j: %s', (wanted, labels, isFit) => {
    expect(hasLabels(wanted, labels)).toBe(isFit);
  });
});
