// `npm start`: builds what is missing or older than its sources, then runs the server with the same arguments,
// passing signals on and ending with its exit code.
import { spawn, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// DATA_DIR and the folders of canaries are meant from where the operator stands.
const askedFrom = process.cwd();
process.chdir(root);
const { isBuilt } = await import('./source-stamp.mjs');
const { NODE_FLAGS } = await import('./node-flags.mjs');

if (!isBuilt()) {
  console.log('Building (the first start, or the sources changed) …');
  const built = spawnSync(process.execPath, ['scripts/build.mjs'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

const server = spawn(
  process.execPath,
  [...NODE_FLAGS, `${root}/dist/server/main.js`, ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    cwd: askedFrom,
  },
);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => {
  process.exit(code ?? (signal === null ? 1 : 128));
});
