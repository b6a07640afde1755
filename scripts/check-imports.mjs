// Checks every import of src, workers and server against import-rules.mjs. Cycles are the linter's.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { parseSync } from 'oxc-parser';
import { brokenRules } from './import-rules.mjs';

const files = fastGlob.globSync('{src,workers,server}/**/*.{ts,tsx}');

/** What a file imports: static, re-exported and dynamic with a plain string. */
function importsOf(file) {
  const source = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const dynamic = module.dynamicImports
    .map(({ moduleRequest }) => source.slice(moduleRequest.start, moduleRequest.end))
    .filter((text) => /^['"].*['"]$/.test(text))
    .map((text) => text.slice(1, -1));
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
  );
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic];
}

let broken = 0;
for (const file of files) {
  for (const specifier of importsOf(file)) {
    const to = specifier.startsWith('.')
      ? relative('.', resolve(dirname(file), specifier.replace(/\?.*$/, '')))
      : specifier;
    for (const { name, why } of brokenRules(file, to)) {
      broken += 1;
      console.error(`${file}: imports ${to}: ${name} (${why})`);
    }
  }
}
console.log(`${files.length} files, ${broken} imports against the rules`);
process.exit(broken === 0 && files.length > 0 ? 0 : 1);
