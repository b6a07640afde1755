// Checks every import of src, workers and server against import-rules.mjs. Cycles are the linter's.
import fastGlob from 'fast-glob';
import { brokenRules } from './import-rules.mjs';
import { importsOf, parseFile } from './read-imports.mjs';

const files = fastGlob.globSync('{src,workers,server}/**/*.{ts,tsx}');

let broken = 0;
for (const file of files) {
  for (const to of importsOf(file, parseFile(file))) {
    for (const { name, why } of brokenRules(file, to)) {
      broken += 1;
      console.error(`${file}: imports ${to}: ${name} (${why})`);
    }
  }
}
console.log(`${files.length} files, ${broken} imports against the rules`);
process.exit(broken === 0 && files.length > 0 ? 0 : 1);
