// `npm test`: every check and every suite, in order, with one line of sums at the end. A step that fails does
// not stop the others, so that one run tells all that is wrong. Exit code 0 only when nothing failed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

const out = '.tmp/test-results';
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Runs a command with its output shown; answers whether it ended well. */
function run(title, command, args, env = {}) {
  console.log(`\n── ${title}`);
  const result = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  return result.status === 0;
}

/** System packages that tests need and npm cannot bring: the browser and the system's ping. */
function ensureSystemPackages() {
  const wanted = [
    ['/usr/bin/chromium', 'chromium'],
    ['/usr/bin/ping', 'iputils-ping'],
    ['/usr/bin/openssl', 'openssl'],
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

/** Passed and failed counts of a vitest JSON report; an unreadable report is one failure. */
function vitestCounts(file, isOk) {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const failed =
    report.numFailedTests +
    report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0).length;
  return { passed: report.numPassedTests, failed: failed === 0 && !isOk ? 1 : failed };
}

/** The same for Playwright's JSON report; a test that passed on a retry counts as failed: flaky is broken. */
function playwrightCounts(file, isOk) {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: failed === 0 && !isOk ? 1 : failed };
}

const sums = [];
const add = (title, passed, failed) => sums.push({ title, passed, failed });
const check = (title, script) => {
  const isOk = run(title, 'npm', ['run', '--silent', script]);
  add(title, isOk ? 1 : 0, isOk ? 0 : 1);
};

if (!ensureSystemPackages()) add('system packages', 0, 1);
check('types', 'check:types');
check('lint', 'check:lint');
check('format', 'check:format');
check('import boundaries', 'check:imports');
check('dead code', 'check:dead');

const unitFile = `${out}/vitest.json`;
const isUnitOk = run('unit, property and integration tests', 'npx', [
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitFile}`,
]);
const unit = vitestCounts(unitFile, isUnitOk);
add('unit, property, integration', unit.passed, unit.failed);

for (const database of ['pglite', 'embedded']) {
  const args = ['run', '--silent', 'test:kill', '--', '--runs', '3', '--database', database];
  const isOk = run(`server killed in the middle of writes, on ${database}`, 'npm', args);
  add(`killed servers on ${database}`, isOk ? 1 : 0, isOk ? 0 : 1);
}

check('build', 'build');

const e2eFile = `${out}/playwright.json`;
const isE2eOk = run('end to end in Chromium', 'npx', ['playwright', 'test', '--reporter=list,json'], {
  PLAYWRIGHT_JSON_OUTPUT_NAME: e2eFile,
});
const e2e = playwrightCounts(e2eFile, isE2eOk);
add('end to end', e2e.passed, e2e.failed);

console.log('\n── sums');
for (const { title, passed, failed } of sums)
  console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${title}: ${passed} passed, ${failed} failed`);
const total = sums.reduce((acc, s) => ({ passed: acc.passed + s.passed, failed: acc.failed + s.failed }), {
  passed: 0,
  failed: 0,
});
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
