import { describe, expect, it } from 'vitest';
import { readMigrations } from './migration-files.ts';

describe('migrations', () => {
  const names = readMigrations().map(({ name }) => name);

  it('run in the order of their numbers, each number once', () => {
    const numbers = names.map((name) => Number(/^(\d{4})-[a-z-]+$/.exec(name)?.[1]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(numbers.length).toBeGreaterThan(25);
  });

  it('in a folder are one migration, its files in order', () => {
    const up = readMigrations().find(({ name }) => name === '0001-health')?.up ?? '';
    expect(up.indexOf('create table checks')).toBeGreaterThan(up.indexOf('create table people'));
  });
});
