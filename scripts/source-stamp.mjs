// Tells whether dist was built from the sources that lie here: a hash over their content, kept in dist/stamp.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['src', 'workers', 'server', 'public'];
const FILES = ['package.json', 'package-lock.json', 'vite.config.ts', 'vite.server.config.ts', 'index.html'];
const STAMP = 'dist/stamp';
const OUTPUTS = [
  'dist/app/index.html',
  'dist/server/main.js',
  'dist/server/pglite.worker.js',
  'dist/server/migrations',
];

/** Hold what the app and the server tell each other. */
const CONTRACT_FOLDERS = ['src/contract', 'src/domain'];
const CONTRACT_LETTERS = 16;

function sourceFiles(files, folders) {
  const found = files.filter((file) => existsSync(file));
  for (const folder of folders.filter((name) => existsSync(name))) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) found.push(join(entry.parentPath, entry.name));
    }
  }
  return found.toSorted();
}

function stampOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

export function sourceStamp() {
  return stampOf(sourceFiles(FILES, FOLDERS));
}

/** Changes with what the app and the server tell each other (src/contract/version.ts). */
export function contractStamp() {
  return stampOf(sourceFiles([], CONTRACT_FOLDERS)).slice(0, CONTRACT_LETTERS);
}

export function writeStamp(stamp) {
  mkdirSync('dist', { recursive: true });
  writeFileSync(STAMP, stamp);
}

/** True when all outputs are there and came from these sources. */
export function isBuilt() {
  return (
    OUTPUTS.every((file) => existsSync(file)) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === sourceStamp()
  );
}
