// Measures the house and prints a table: folders, cycles between them, sizes, copies, casts. It refuses nothing; what
// must hold is in import-rules.mjs and the linter. `--list` names what was counted.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import fastGlob from 'fast-glob';
import { bareExports } from './bare-exports.mjs';
import { cyclesOf, groupGraph, mutualPairs, unitOf } from './folder-graph.mjs';
import { importsOf, parseFile } from './read-imports.mjs';

/** A copy is at least this many lines that say something. */
const COPY_LINES = 10;
/** A file of this name stands beside a part that the kit has. */
const MANTINE_HAS =
  /(Avatar|Button|Checkbox|Combobox|Drawer|HoverCard|Loader|Menu|Modal|Pager|Pagination|Popover|Segmented|Select|SelectField|SelectInput|Sheet|Skeleton|Switch|Tabs|TabList|TextField|TextInput|Toasts|Tooltip)\.tsx$/;
/** One question to the server that pages put, as good as any other. */
const SAMPLE_QUERY = /check-?detail/i;
const isTest = (file) => /\.test\.tsx?$|\/testing\/|^(tests|e2e|bench)\//.test(file);

const files = fastGlob.globSync('{src,workers,server,tests,e2e,bench}/**/*.{ts,tsx}').toSorted();
const parsed = new Map(files.map((file) => [file, parseFile(file)]));
const programs = files.filter((file) => !isTest(file));
const known = new Set(files);
const importsByFile = new Map(
  programs.map((file) => [
    file,
    importsOf(file, parsed.get(file)).filter((to) => known.has(to) && !isTest(to)),
  ]),
);

const linesOf = (list) => list.reduce((sum, file) => sum + parsed.get(file).source.split('\n').length - 1, 0);
const countIn = (list, pattern) =>
  list.flatMap((file) => {
    const found = [...parsed.get(file).source.matchAll(pattern)].length;
    return found === 0 ? [] : [[file, found]];
  });
const total = (counts) => counts.reduce((sum, [, count]) => sum + count, 0);

function folderSizes() {
  const sizes = new Map();
  for (const file of programs) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return [...sizes].toSorted(([, a], [, b]) => b - a);
}

/** The lines that say something: no imports, no comments, no lone brackets. */
function sayingLines(file) {
  const kept = [];
  let isImport = false;
  for (const [index, line] of parsed.get(file).source.split('\n').entries()) {
    const text = line.trim();
    if (
      /^(import|export) .*(\{|from)/.test(text) &&
      !/ (function|const|class|interface|type \w+ =) /.test(` ${text} `)
    )
      isImport = true;
    const isQuiet = isImport || /^$|^(\/\/|\/\*|\*)|^[\])}>;,(/]+$/.test(text);
    if (!isQuiet) kept.push([text, index]);
    if (isImport && /from '.*';$|;$/.test(text)) isImport = false;
  }
  return kept;
}

const pairsOf = (list) => list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other]));

/** Pairs of places with the same ten lines or more; a longer copy counts once. */
function copies(list) {
  const places = new Map();
  for (const file of list) {
    const lines = sayingLines(file);
    for (let at = 0; at + COPY_LINES <= lines.length; at += 1) {
      const text = lines
        .slice(at, at + COPY_LINES)
        .map(([line]) => line)
        .join('\n');
      const key = createHash('sha1').update(text).digest('base64');
      places.set(key, [...(places.get(key) ?? []), { file, at }]);
    }
  }
  const seen = new Set();
  const found = [];
  for (const [one, other] of [...places.values()].flatMap(pairsOf)) {
    const isGoingOn = seen.has(`${one.file} ${one.at - 1} ${other.file} ${other.at - 1}`);
    seen.add(`${one.file} ${one.at} ${other.file} ${other.at}`);
    if (!isGoingOn) found.push(`${one.file} = ${other.file}`);
  }
  return found;
}

const isListed = process.argv.includes('--list');
const named = (list) => list.map(([name, count]) => `${count} ${name}`);
function row(what, figure, details = []) {
  console.log(`${what.padEnd(66)}${String(figure).padStart(8)}`);
  if (isListed) for (const each of details) console.log(`    ${each}`);
}

function reportFolders(name, graph) {
  const pairs = mutualPairs(graph).map((pair) => pair.join(' <-> '));
  row(`folders that import each other (${name})`, pairs.length, pairs);
  const cycles = cyclesOf(graph).map((each) => `${each.length}: ${each.join(' ')}`);
  row(`cycles between folders (${name})`, cycles.length, cycles);
}

const inServer = new Map([...importsByFile].filter(([file]) => file.startsWith('server/')));
const sizes = folderSizes();
row(`largest folder: ${sizes[0][0]}`, sizes[0][1], named(sizes.slice(0, 20)));
const big = sizes.filter(([, size]) => size > 20);
row('folders of more than 20 program files', big.length, named(big));
reportFolders('server', groupGraph(inServer, unitOf));
reportFolders('everything', groupGraph(importsByFile, unitOf));
reportFolders('server, every sub-folder', groupGraph(inServer, dirname));
row('lines of programs', linesOf(programs));
row('lines of tests', linesOf(files.filter(isTest)));
// Without a schema it does not compile; these are schemas that check nothing.
const rows = countIn(programs, /\.rows(<[^(]*>)?\(\s*z\s*\.\s*(custom|any|unknown)\b/g);
row('unchecked rows(…)', total(rows), named(rows));
const queries = countIn(programs, /(?<!function )\b(useLiveQuery|useLiveRow|useAnswer)<(?!unknown>)/g);
row('unchecked useLiveQuery<…>, useLiveRow<…>, useAnswer<…>', total(queries), named(queries));
const kit = programs.filter((file) => /from '@mantine\//.test(parsed.get(file).source));
row('files that import @mantine', kit.length, kit);
const isPartOfUi = (file) => /^src\/ui\/(?!actions\/)/.test(file) && MANTINE_HAS.test(file);
/** Made of the kit, or, in a feature, of a part of src/ui, which is counted itself. */
const isMadeOfParts = (file) =>
  kit.includes(file) ||
  importsByFile.get(file).some((to) => kit.includes(to) || (!file.startsWith('src/ui/') && isPartOfUi(to)));
const ownParts = programs.filter((file) => MANTINE_HAS.test(file) && !isMadeOfParts(file));
row('parts written by hand that Mantine has', ownParts.length, ownParts);
const sample = programs.filter(
  (file) => /^(src\/contract|src\/data|workers)\//.test(file) && SAMPLE_QUERY.test(parsed.get(file).source),
);
row("files a query is written in (a check's details, contract to hook)", sample.length, sample);
const bare = programs.flatMap((file) => bareExports(parsed.get(file)).map((name) => `${file} ${name}`));
row('exported functions and classes without a docstring', bare.length, bare);
for (const [name, list] of [
  ['programs', programs],
  ['tests', files.filter(isTest)],
]) {
  const found = copies(list);
  row(`copies of ${COPY_LINES} lines or more (${name})`, found.length, found);
}
