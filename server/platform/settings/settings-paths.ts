/**
 * Folders and files that settings name are looked at before anything starts: a wrong one is refused like any other
 * wrong setting, with one line, instead of after the migrations.
 */
import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs';
import { SettingsError } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const READ_FOLDERS = [
  'CANARIES_DIR',
  'SCRAPERS_DIR',
  'TOPOLOGIES_DIR',
  'PLAYBOOKS_DIR',
  'LOGS_DIR',
  'LOG_BACKENDS_DIR',
];
const READ_FILES = ['PROPERTIES_FILE', 'ORGANIZATIONS_FILE'];

const READABLE_FOLDER = 'it must name a folder that can be read';
const READABLE_FILE = 'it must name a file that can be read';
const WRITABLE_FOLDER = 'it must name a folder that can be made and written to';

function requireFolder(path: string): void {
  if (!statSync(path).isDirectory()) throw new Error('not a folder');
  accessSync(path, constants.R_OK | constants.X_OK);
}

function requireWritable(path: string): void {
  mkdirSync(path, { recursive: true });
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Throws SettingsError for the first folder or file that can't be used; makes the folder of the data. */
export function checkPaths(env: Environment, dataDir: string): void {
  const look = (variable: string, allowed: string, test: (path: string) => unknown) => {
    const path = env[variable]?.trim() ?? '';
    const place = variable === 'DATA_DIR' ? dataDir : path;
    if (place === '') return;
    try {
      test(place);
    } catch (error) {
      throw new SettingsError({ variable, value: path === '' ? place : path }, allowed, { cause: error });
    }
  };
  for (const variable of READ_FOLDERS) look(variable, READABLE_FOLDER, requireFolder);
  for (const variable of READ_FILES) look(variable, READABLE_FILE, (path) => readFileSync(path));
  look('DATA_DIR', WRITABLE_FOLDER, requireWritable);
}
