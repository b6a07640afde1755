import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SettingsError } from './settings.ts';
import { checkPaths } from './settings-paths.ts';

const root = mkdtempSync(join(tmpdir(), 'holdfast-places-'));
const file = join(root, 'file');
writeFileSync(file, '');
afterAll(() => rmSync(root, { recursive: true, force: true }));

function refusal(env: Record<string, string>): string {
  try {
    checkPaths(env, env['DATA_DIR'] ?? join(root, 'data'));
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return 'accepted';
}

const FOLDERS = [
  'CANARIES_DIR',
  'SCRAPERS_DIR',
  'TOPOLOGIES_DIR',
  'PLAYBOOKS_DIR',
  'LOGS_DIR',
  'LOG_BACKENDS_DIR',
];
const FILES = ['PROPERTIES_FILE', 'ORGANIZATIONS_FILE'];
const missing = join(root, 'missing');

describe('places that settings name', () => {
  it.each([
    ...FOLDERS.flatMap((name) => [
      [name, missing],
      [name, file],
    ]),
    ...FILES.flatMap((name) => [
      [name, missing],
      [name, root],
    ]),
    ['DATA_DIR', file],
    ['DATA_DIR', join(file, 'below')],
  ])('%s=%s is refused in one line with the variable and the place', (variable = '', place = '') => {
    const line = refusal({ [variable]: place });
    expect(line).toContain(`${variable}="${place}" is not valid: it must name a`);
    expect(line).not.toContain('\n');
  });

  it('that are there, empty or not named are taken, and the folder of the data is made', () => {
    for (const name of FOLDERS) expect(refusal({ [name]: root })).toBe('accepted');
    for (const name of FILES) expect(refusal({ [name]: file })).toBe('accepted');
    expect(refusal({ CANARIES_DIR: ' ' })).toBe('accepted');
    expect(refusal({ DATA_DIR: join(root, 'new', 'data') })).toBe('accepted');
  });
});
