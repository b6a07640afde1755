// What a file imports: static, re-exported and dynamic with a plain string. Paths are those of the repository.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A file read and parsed once; throws for what isn't TypeScript. */
export function parseFile(file) {
  const source = readFileSync(file, 'utf8');
  const { module, program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return { source, module, program, comments };
}

/** The repository path (or the package's name) of each import of a parsed file. */
export function importsOf(file, { source, module }) {
  const dynamic = module.dynamicImports
    .map(({ moduleRequest }) => source.slice(moduleRequest.start, moduleRequest.end))
    .filter((text) => /^['"].*['"]$/.test(text))
    .map((text) => text.slice(1, -1));
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
  );
  const fixed = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  return [...fixed, ...exported, ...dynamic].map((specifier) =>
    specifier.startsWith('.')
      ? relative('.', resolve(dirname(file), specifier.replace(/\?.*$/, '')))
      : specifier,
  );
}
