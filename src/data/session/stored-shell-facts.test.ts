import { describe, expect, test } from 'vitest';
import { createStoredShellFacts } from './stored-shell-facts.ts';

const FACTS = {
  storeName: 'hf-u1',
  properties: [{ name: 'topology.disable', value: 'true' }],
  isChecksOnly: false,
};

function device() {
  const kept = new Map<string, string>();
  const reported: unknown[] = [];
  const platform = {
    readStored: (key: string) => kept.get(key) ?? null,
    writeStored: (key: string, text: string | null) => {
      if (text === null) kept.delete(key);
      else kept.set(key, text);
    },
    report: (error: unknown) => reported.push(error),
  };
  return { kept, reported, open: () => createStoredShellFacts(platform) };
}

describe('the shell facts that are kept', () => {
  test('the next start knows what the last one was told', () => {
    const { open } = device();
    open().set(FACTS);
    expect(open().get()).toEqual(FACTS);
  });

  test('the same answer again is no news', () => {
    const facts = device().open();
    let told = 0;
    facts.subscribe(() => {
      told += 1;
    });
    facts.set(FACTS);
    const first = facts.get();
    facts.set(structuredClone(FACTS));
    expect(told).toBe(1);
    expect(facts.get()).toBe(first);
  });

  test('nothing of it stays on the device once it is forgotten', () => {
    const { open, kept } = device();
    const facts = open();
    facts.set(FACTS);
    facts.set(null);
    expect(kept.size).toBe(0);
  });

  test.each([
    '{',
    '{}',
    '[]',
    '{"storeName":"x","isChecksOnly":false,"properties":[{"name":1,"value":"a"}]}',
  ])('what is kept but makes no sense is as nothing: %s', (text) => {
    const { open, kept, reported } = device();
    kept.set('holdfast.shell', text);
    expect(open().get()).toBeNull();
    expect(reported).toHaveLength(text === '{' ? 1 : 0);
  });
});
