import { describe, expect, it } from 'vitest';
import { FLAGS, isFeatureOn, isPropertyOn } from './flags.ts';
import type { PropertyValues } from './flags.ts';

const properties = (...pairs: [string, string][]): PropertyValues => new Map(pairs);

describe('feature flags', () => {
  it('everything is on until a property says otherwise', () => {
    for (const flag of FLAGS) expect(isFeatureOn(flag, properties())).toBe(true);
  });

  it('each flag is switched off by its own property', () => {
    for (const flag of FLAGS) expect(isFeatureOn(flag, properties([`${flag}.disable`, 'true']))).toBe(false);
  });

  it('a property that does not say yes switches nothing off', () => {
    for (const value of ['false', '', '0', 'yes, please', 'off'])
      expect(isFeatureOn('logs', properties(['logs.disable', value]))).toBe(true);
  });

  it.each([
    ['settings.config_scraper', 'config'],
    ['settings.topology', 'topology'],
    ['settings.health', 'health'],
    ['settings.job_history', 'health'],
  ] as const)('%s goes with %s, and its own "false" does not bring it back', (page, area) => {
    const off: [string, string] = [`${area}.disable`, 'true'];
    expect(isFeatureOn(page, properties(off))).toBe(false);
    expect(isFeatureOn(page, properties(off, [`${page}.disable`, 'false']))).toBe(false);
    expect(isFeatureOn(area, properties([`${page}.disable`, 'true']))).toBe(true);
  });

  it('an area takes only its own pages along', () => {
    const off = properties(['health.disable', 'true']);
    expect(FLAGS.filter((flag) => !isFeatureOn(flag, off))).toEqual([
      'health',
      'settings.health',
      'settings.job_history',
    ]);
  });

  it('true, enabled and on say yes in any case', () => {
    for (const value of ['true', 'TRUE', 'Enabled', 'on', ' On ']) expect(isPropertyOn(value)).toBe(true);
    for (const value of [undefined, '1', 'yes', 'disabled']) expect(isPropertyOn(value)).toBe(false);
  });
});
