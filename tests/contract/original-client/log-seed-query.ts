/** For tests only: a component that says which logs are its own, and a log backend that has them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../server/platform/db/database.ts';
import { DB_COMPONENT } from './ids.ts';

export async function seedLogs(db: Database, folder: string): Promise<void> {
  await db.run(`update components set log_selectors = $2::jsonb where id = $1`, [
    DB_COMPONENT,
    JSON.stringify([
      { name: 'postgres', labels: { app: 'db' } },
      { name: 'audit', labels: { app: 'audit' } },
    ]),
  ]);
  await db.run(`insert into logging_backends (name, spec, source) values ('files', $1::jsonb, 'UI')`, [
    JSON.stringify({ file: { paths: ['$(labels.app)/*.log'] } }),
  ]);
  await mkdir(join(folder, 'db'), { recursive: true });
  await writeFile(join(folder, 'db', 'a.log'), `${new Date().toISOString()} checkpoint complete\n`);
}
