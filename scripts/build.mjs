// `npm run build`: the app into dist/app, the server into dist/server, and a stamp of the sources they came from.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { sourceStamp, writeStamp } from './source-stamp.mjs';

const COMPRESSIBLE = /\.(?:js|css|svg|json|webmanifest|woff)$/;
const COMPRESS_FROM_BYTES = 1024;

/** Files are compressed once here, as small as can be, instead of at each request. The page itself is written anew for each answer. */
function compressFiles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    if (bytes.length < COMPRESS_FROM_BYTES) continue;
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    );
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

// Taken before building: a source that changes meanwhile makes the build old, not silently new.
const stamp = sourceStamp();
const only = process.argv[2];
if (only !== 'server') {
  await build({ configFile: 'vite.config.ts' });
  compressFiles('dist/app');
}
if (only !== 'app') await build({ configFile: 'vite.server.config.ts' });
if (only === undefined) writeStamp(stamp);
