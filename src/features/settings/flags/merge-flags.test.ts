import { describe, expect, it } from 'vitest';
import { mergeFlags } from './merge-flags.ts';

const row = (name: string, value: string, source: string) => ({ name, value, source, created_by: null });

describe('feature flags', () => {
  it('carry who made them where they are in the database', () => {
    const stored = [{ ...row('logs.disable', 'true', 'db'), created_by: { id: '1', name: 'Ada' } }];
    const [flag] = mergeFlags([row('logs.disable', 'true', 'db')], stored);
    expect(flag).toMatchObject({ isLocal: false, createdBy: 'Ada' });
  });

  it('that are set locally win, and nobody made them here', () => {
    const stored = [{ ...row('logs.disable', 'false', 'db'), created_by: { id: '1', name: 'Ada' } }];
    const [flag] = mergeFlags([row('logs.disable', 'true', 'local')], stored);
    expect(flag).toMatchObject({ value: 'true', isLocal: true, createdBy: null });
  });
});
