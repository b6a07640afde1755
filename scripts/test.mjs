// `npm test`: every check and every suite, in order, with one line of sums at the end. A step that fails does
// not stop the others, so that one run tells all that is wrong. Exit code 0 only when nothing failed.
// `--quick` (`npm run test:quick`) is for the working day: what needs neither a database nor all browser tests.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { relative } from 'node:path';

const out = '.tmp/test-results';
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Runs a command with its output shown; answers whether it ended well. */
function run(title, command, args, env = {}) {
  console.log(`\n── ${title}`);
  const result = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  return result.status === 0;
}

/** Runs npm scripts side by side, each one's output shown when it ends; answers whether each ended well. */
function runTogether(steps) {
  return Promise.all(
    steps.map(({ title, script, args = [] }) => {
      const startedMs = Date.now();
      const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
      return new Promise((resolve) => {
        child.on('close', (code) => {
          console.log(`\n── ${title}\n${Buffer.concat(output).toString().trimEnd()}`);
          resolve({ title, isOk: code === 0, seconds: Math.round((Date.now() - startedMs) / 1000) });
        });
      });
    }),
  );
}

/** System packages that tests need and npm cannot bring: the browser with and without windows, the system's ping, and what plays services. */
function ensureSystemPackages() {
  const wanted = [
    ['/usr/bin/chromium-headless-shell', 'chromium-headless-shell'],
    ['/usr/bin/chromium', 'chromium'],
    ['/usr/bin/ping', 'iputils-ping'],
    ['/usr/bin/openssl', 'openssl'],
    ['/usr/lib/git-core/git-http-backend', 'git'],
    ['/usr/sbin/mariadbd', 'mariadb-server-core'],
  ].filter(([file]) => !existsSync(file) && !(file.endsWith('ping') && existsSync('/bin/ping')));
  if (wanted.length === 0) return true;
  const names = wanted.map(([, name]) => name);
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) {
    console.log(
      `Please install: ${names.join(', ')} (set CHROMIUM to the browser's path where it is elsewhere).`,
    );
    return process.env.CHROMIUM !== undefined;
  }
  const sudo = process.getuid?.() === 0 ? [] : ['sudo'];
  const apt = (...args) => [...sudo, 'apt-get', ...args];
  const [update, install] = [apt('update'), apt('install', '-y', '--no-install-recommends', ...names)];
  return (
    run('system packages: update', update[0], update.slice(1)) &&
    run(`system packages: ${names.join(', ')}`, install[0], install.slice(1), {
      DEBIAN_FRONTEND: 'noninteractive',
    })
  );
}

/** More than this is no accident of a busy machine. */
const MOST_LOOKED_AT_AGAIN = 10;

/** More names than these hide the sums. */
const MOST_NAMES = 12;

/** `file › title` of each failed test of a vitest file; the file alone when it failed as a whole. */
function vitestNames({ name, assertionResults }) {
  const path = relative(process.cwd(), name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  return failed.length === 0 ? [path] : failed.map(({ fullName }) => `${path} › ${fullName}`);
}

/** All tests of a Playwright suite; suites nest. */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/** Counts and failed files of a vitest JSON report; an unreadable report is one failure. */
function vitestResult(file, isOk) {
  if (!existsSync(file)) return { passed: 0, failed: 1, again: [], names: ['no report was written'] };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const files = report.testResults.filter(({ status }) => status === 'failed');
  const failed = report.numFailedTests + files.filter((f) => f.assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !isOk ? 1 : failed,
    passedInFailed: files.flatMap((f) => f.assertionResults).filter((t) => t.status === 'passed').length,
    again: files.map(({ name }) => name),
    names: files.flatMap(vitestNames),
  };
}

/** Counts and failed files of Playwright's JSON report. */
function playwrightResult(file, isOk) {
  if (!existsSync(file)) return { passed: 0, failed: 1, again: [], names: ['no report was written'] };
  const { stats, suites, errors } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = stats.unexpected + stats.flaky;
  const specs = suites.flatMap(specsOf);
  const statuses = ({ tests }) => tests.map(({ status }) => status);
  const failures = specs.filter((spec) => statuses(spec).some((s) => s === 'unexpected' || s === 'flaky'));
  const files = new Set(failures.map((spec) => spec.file));
  return {
    passed: stats.expected,
    failed: failed === 0 && !isOk ? 1 : failed,
    passedInFailed: specs.filter((spec) => files.has(spec.file) && statuses(spec).includes('expected'))
      .length,
    // Whole files, because their tests build on each other; recorded, so that what fails again can be looked at.
    again: failed > 0 ? [...[...files].map((name) => `e2e/${name}`), '--trace=retain-on-failure'] : [],
    names: [
      ...failures.map((spec) => `${spec.file} › ${spec.title}`),
      ...errors.map(({ message }) => message.split('\n')[0]),
    ],
  };
}

/**
 * Runs a suite; a few failures are looked at a second time, alone. What fails again has failed. What doesn't is
 * unsteady: it is said in the sums, and wants mending, but it doesn't hold up everything else.
 */
function runSuite({ title, file, start, read }) {
  const first = read(file, start(title, []));
  if (first.failed === 0 || first.failed > MOST_LOOKED_AT_AGAIN || first.again.length === 0) return first;
  rmSync(file, { force: true });
  const second = read(file, start(`${title}: what failed, once more`, first.again));
  const unsteady = Math.max(0, first.failed - second.failed);
  return {
    passed: first.passed - first.passedInFailed + second.passed,
    failed: second.failed,
    unsteady,
    names: unsteady > 0 ? [...new Set([...first.names, ...second.names])] : second.names,
  };
}

const isQuick = process.argv.includes('--quick');
const sums = [];

/** Milliseconds that the processors worked and were there since the machine started. */
function processorTimes() {
  const all = cpus().map(({ times }) => times);
  const total = all.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { total, busy: total - all.reduce((sum, { idle }) => sum + idle, 0) };
}

let since = Date.now();
let processors = processorTimes();
const add = (title, { passed, failed, unsteady = 0, names = [] }) => {
  const now = processorTimes();
  const busy = (now.busy - processors.busy) / Math.max(1, now.total - processors.total);
  sums.push({
    title,
    passed,
    failed,
    unsteady,
    names,
    busy,
    seconds: Math.round((Date.now() - since) / 1000),
  });
  since = Date.now();
  processors = now;
};
const addStep = (title, isOk) => add(title, { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 });
const addTogether = async (steps) => {
  const from = sums.length;
  for (const { title, isOk, seconds } of await runTogether(steps)) {
    addStep(title, isOk);
    sums.at(-1).seconds = seconds;
  }
  // All of them had the same processors.
  for (const sum of sums.slice(from)) sum.busy = sums[from].busy;
};

if (!ensureSystemPackages()) addStep('system packages', false);

const checks = [
  { title: 'types', script: 'check:types' },
  { title: 'lint', script: 'check:lint' },
  { title: 'format', script: 'check:format' },
  { title: 'import boundaries', script: 'check:imports' },
  { title: 'dead code', script: 'check:dead' },
  { title: 'build', script: 'build' },
];
await addTogether(checks);

const suite = isQuick ? 'unit and property tests' : 'unit, property and integration tests';
const unit = runSuite({
  title: suite,
  file: `${out}/vitest.json`,
  start: (title, files) =>
    run(title, 'npx', [
      'vitest',
      'run',
      ...files,
      ...(isQuick ? ['--project', 'unit', '--project', 'store'] : []),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${out}/vitest.json`,
    ]),
  read: vitestResult,
});
add(suite, unit);

const killed = ['pglite', 'embedded'].map((database) => ({
  title: `killed servers on ${database}`,
  script: 'test:kill',
  args: ['--runs', '3', '--database', database],
}));
if (!isQuick) await addTogether(killed);

const e2e = runSuite({
  title: isQuick ? 'smoke test in Chromium' : 'end to end in Chromium',
  file: `${out}/playwright.json`,
  start: (title, more) =>
    run(
      title,
      'npx',
      ['playwright', 'test', ...more, ...(isQuick ? ['--grep', '@smoke'] : []), '--reporter=list,json'],
      { PLAYWRIGHT_JSON_OUTPUT_NAME: `${out}/playwright.json` },
    ),
  read: playwrightResult,
});
add(isQuick ? 'smoke test' : 'end to end', e2e);

console.log('\n── sums');
for (const { title, passed, failed, unsteady, names, busy, seconds } of sums) {
  const more = unsteady > 0 ? `, ${unsteady} of them only the second time` : '';
  const mark = failed === 0 ? 'ok  ' : 'FAIL';
  console.log(
    `${mark} ${title}: ${passed} passed${more}, ${failed} failed (${seconds} s, processors ${Math.round(busy * 100)} % busy)`,
  );
  for (const name of names.slice(0, MOST_NAMES)) console.log(`       ${name}`);
}
const total = sums.reduce((acc, s) => ({ passed: acc.passed + s.passed, failed: acc.failed + s.failed }), {
  passed: 0,
  failed: 0,
});
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
