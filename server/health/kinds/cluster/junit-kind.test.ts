/** junit: reports as scripts see them, and the pod that leaves them, over a cluster of the test. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startLiveCluster } from '../../testing/live-cluster.ts';
import type { LiveCluster } from '../../testing/live-cluster.ts';
import { runKind } from '../../testing/run-kind.ts';
import { readReport } from './junit-report.ts';

const REPORT = `<?xml version="1.0"?>
<testsuites><testsuite name="cart" tests="4">
  <testcase classname="Cart" name="adds" time="0.5"><system-out>hello</system-out></testcase>
  <testcase classname="Cart" name="pays &amp; ships" time="1.25"><failure message="1 is not 2">at line 3</failure></testcase>
  <testcase classname="Cart" name="later"><skipped/></testcase>
  <testcase classname="Cart" name="breaks"><error>no database</error></testcase>
</testsuite></testsuites>`;

describe('a report of JUnit', () => {
  test('has its suites with their tests, added up', () => {
    const [suite] = readReport('a.xml', REPORT);
    expect(suite).toMatchObject({ name: 'cart', passed: 1, failed: 1, skipped: 1, error: 1, duration: 1.75 });
    expect(suite?.tests[1]).toMatchObject({ name: 'pays & ships', status: 'failed', message: '1 is not 2' });
    expect(suite?.tests[3]).toMatchObject({ status: 'error', message: 'no database' });
  });
  test('may be one suite, or suites in suites', () => {
    const inner = '<testsuite name="b"><testcase name="x"/></testsuite>';
    expect(readReport('a.xml', inner)).toMatchObject([{ name: 'b', passed: 1 }]);
    expect(readReport('a.xml', `<testsuite name="a">${inner}</testsuite>`)).toMatchObject([{ name: 'b' }]);
  });
  test.each([
    ['<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>', 'document type'],
    ['<html></html>', 'no report'],
    ['<testsuite', 'no XML'],
  ])('%s is refused', (xml, why) => expect(() => readReport('a.xml', xml)).toThrow(why));
});

describe('junit', () => {
  let cluster: LiveCluster;
  beforeEach(async () => {
    cluster = await startLiveCluster();
    const state = { terminated: { exitCode: 0 } };
    cluster.statusOf = () => ({
      phase: 'Running',
      containerStatuses: [
        { name: 'tests', state },
        { name: 'holdfast-artifacts', state: { running: {} } },
      ],
    });
    cluster.commands['*.xml'] = '/results/a.xml\n';
    cluster.commands['/results/a.xml'] = REPORT;
  });
  afterEach(() => cluster.stop());
  const run = (more: object = {}) =>
    runKind('junit', {
      kubeconfig: cluster.kubeconfig,
      testResults: '/results/',
      spec: { containers: [{ name: 'tests', image: 'a' }] },
      ...more,
    });

  test('reads what the pod left, and takes the pod away', async () => {
    expect(await run()).toMatchObject({
      pass: false,
      error: '2 of 4 tests failed',
      data: { results: { passed: 1, suites: [{ name: 'cart' }] } },
    });
    expect(await run({ test: { expr: 'results.failed == 1' } })).toMatchObject({
      pass: true,
      message: '1 of 4 passed',
    });
    expect([...cluster.objects.keys()]).toEqual([]);
    const made = cluster.asked.find(({ method }) => method === 'POST')?.body ?? '';
    expect(JSON.parse(made)).toMatchObject({
      spec: {
        containers: [
          { name: 'tests', volumeMounts: [{ mountPath: '/results' }] },
          { name: 'holdfast-artifacts' },
        ],
      },
    });
  });
  test('says so where there is no report, and where the pod does not begin', async () => {
    cluster.commands['*.xml'] = '';
    expect(await run()).toMatchObject({ pass: false, error: expect.stringContaining('left no .xml file') });
    const state = { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } };
    cluster.statusOf = () => ({ phase: 'Pending', containerStatuses: [{ name: 'tests', state }] });
    expect(await run()).toMatchObject({ pass: false, error: 'tests: ImagePullBackOff: no such image' });
    expect([...cluster.objects.keys()]).toEqual([]);
  });
});
