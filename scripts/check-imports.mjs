// Checks every import of src, workers and server against import-rules.mjs, and that no folders import each other in
// a circle. Cycles of files are the linter's.
import { dirname } from 'node:path';
import fastGlob from 'fast-glob';
import { cyclesOf, groupGraph, unitOf } from './folder-graph.mjs';
import { brokenRules } from './import-rules.mjs';
import { importsOf, parseFile } from './read-imports.mjs';

const files = fastGlob.globSync('{src,workers,server}/**/*.{ts,tsx}');
const importsByFile = new Map(files.map((file) => [file, importsOf(file, parseFile(file))]));

let broken = 0;
function complain(text) {
  broken += 1;
  console.error(text);
}

for (const [file, targets] of importsByFile) {
  for (const to of targets) {
    for (const { name, why } of brokenRules(file, to)) complain(`${file}: imports ${to}: ${name} (${why})`);
  }
}

const isProgram = (file) => !/\.test\.tsx?$|\/testing\//.test(file);
const ours = new Set(files.filter(isProgram));
const known = [...importsByFile]
  .filter(([file]) => ours.has(file))
  .map(([file, targets]) => [file, targets.filter((to) => ours.has(to))]);
const inServer = known.filter(([file]) => file.startsWith('server/'));
// The server has none at any depth; src and workers have none between their parts.
for (const graph of [groupGraph(known, unitOf), groupGraph(inServer, dirname)]) {
  for (const cycle of cyclesOf(graph)) complain(`folders import each other in a circle: ${cycle.join(', ')}`);
}
console.log(`${files.length} files, ${broken} imports against the rules`);
process.exit(broken === 0 && files.length > 0 ? 0 : 1);
