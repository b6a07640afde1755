/**
 * The migrations as they lie in `migrations/`: `NNNN-name.sql`, or a folder `NNNN-name/` whose files run one after
 * the other as one migration. Numbers are never reused, applied ones never edited. The build copies the folder
 * beside the bundle, so that they are found in the same way from both.
 */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./migrations/', import.meta.url);

export interface Migration {
  name: string;
  /** One or more statements. */
  up: string;
}

function read(folder: URL, file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

/** Every migration, in the order in which they run. */
export function readMigrations(): Migration[] {
  const entries = readdirSync(FOLDER, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() || entry.name.endsWith('.sql'),
  );
  const byName = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return byName.map((entry) => {
    if (!entry.isDirectory())
      return { name: entry.name.slice(0, -'.sql'.length), up: read(FOLDER, entry.name) };
    const folder = new URL(`${entry.name}/`, FOLDER);
    const files = readdirSync(folder).toSorted();
    return { name: entry.name, up: files.map((file) => read(folder, file)).join('\n') };
  });
}
