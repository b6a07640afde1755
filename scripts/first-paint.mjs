// What the page itself loads before /health can paint, from the build output: `npm run check:first-paint`. It counts
// what `npm run bench` counts there, without a browser, and names the parts of Mantine among it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const FOLDER = 'dist/app/assets/';
const LIMIT_KB = 180;
const PAGE = 'src/features/health/HealthPage.tsx';

const sources = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.js'))
    .map((file) => [file, readFileSync(FOLDER + file, 'utf8')]),
);
const importsOf = (file) =>
  [...sources.get(file).matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)].map(([, name]) => name);

function modulesOf(file) {
  const map = `${FOLDER}${file}.map`;
  return existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : [];
}

function withImports(file, found) {
  if (found.has(file) || !sources.has(file)) return found;
  found.add(file);
  for (const other of importsOf(file)) withImports(other, found);
  return found;
}

const [, entry] = /src="\/assets\/([^"]+\.js)"/.exec(readFileSync('dist/app/index.html', 'utf8')) ?? [];
const page = [...sources.keys()].find((file) => modulesOf(file).some((name) => name.endsWith(PAGE)));
const files = withImports(page, withImports(entry, new Set()));
let total = 0;
for (const file of files) {
  const kb = gzipSync(sources.get(file)).length / 1024;
  total += kb;
  console.log(`${kb.toFixed(1).padStart(8)} KB  ${file}`);
}
const parts = [...files]
  .flatMap(modulesOf)
  .flatMap((name) => /@mantine\/core\/esm\/components\/([^/]+)/.exec(name)?.[1] ?? []);
console.log(`parts of Mantine: ${[...new Set(parts)].join(', ') || 'none'}`);
console.log(`${total.toFixed(1).padStart(8)} KB of ${LIMIT_KB} in ${files.size} files`);
if (total > LIMIT_KB) process.exitCode = 1;
