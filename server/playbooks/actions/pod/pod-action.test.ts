/** pod actions against the API of a cluster, played on this machine, by the real client. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOLE, performAlone } from '../testing/action-setting.ts';
import type { ActionTry } from '../testing/action-setting.ts';
import { startPodCluster } from '../testing/pod-cluster.ts';
import type { PodCluster } from '../testing/pod-cluster.ts';
import { podAction } from './pod-action.ts';

const WAIT = 60_000;
let cluster: PodCluster;
beforeAll(async () => {
  cluster = await startPodCluster();
});
afterAll(() => cluster.close());
beforeEach(() => {
  Object.assign(cluster, { made: [], scripts: {}, files: {}, refusal: null });
  cluster.scripts = { job: { lines: ['one\n', 'two ', 'parts\n'], exitCode: 0 } };
  cluster.there.clear();
});

const job = { name: 'job', image: 'busybox', command: ['sh', '-c', `echo ${HOLE}`] };
const spec = (more: object = {}, podSpec: object = {}) => ({
  name: 'tidy',
  connection: 'connection://cluster',
  spec: { containers: [job], ...podSpec },
  ...more,
});
const perform = (given: object, { more, ...rest }: ActionTry = {}) => {
  const connection = { type: 'kubernetes', certificate: cluster.kubeconfig };
  return performAlone(podAction, given, { connection, ...rest, more: { ...more } });
};

test(
  'a pod runs once: its lines are told, its log is the result, and it is gone afterwards',
  async () => {
    const lines: string[] = [];
    const wasThere: number[] = [];
    const output = (_stream: string, text: string) => {
      lines.push(text);
      wasThere.push(cluster.there.size);
    };
    const outcome = await perform(spec(), { value: "it's; $(x)", more: { output } });
    expect(outcome).toEqual({
      error: null,
      files: [],
      result: {
        Logs: 'one\ntwo parts\n',
        pod: 'playbooks/tidy-000000000002',
        containers: [{ name: 'job', exitCode: 0, reason: 'Completed' }],
      },
    });
    expect([lines, wasThere]).toEqual([
      ['one\n', 'two parts\n'],
      [1, 1],
    ]);
    expect(cluster.there.size).toBe(0);
    expect(cluster.made).toMatchObject([
      {
        metadata: {
          namespace: 'playbooks',
          labels: { 'holdfast/run': '0190f0e0-0000-7000-8000-000000000001' },
        },
        spec: {
          restartPolicy: 'Never',
          activeDeadlineSeconds: 20,
          containers: [
            {
              command: ['sh', '-c', 'echo "${H2_HOLDFAST_VALUE_1}"'],
              env: [{ name: 'H2_HOLDFAST_VALUE_1', value: "it's; $$(x)" }],
            },
          ],
        },
      },
    ]);
  },
  WAIT,
);

test(
  'several containers are told apart; the first that fails is the reason, and what follows it never began',
  async () => {
    cluster.scripts = {
      first: { lines: ['preparing\n'], exitCode: 0 },
      job: { lines: ['working\n'], exitCode: 3 },
      side: { lines: ['beside\n'], exitCode: 0 },
    };
    const first = { name: 'first', image: 'busybox' };
    const both = { initContainers: [first], containers: [job, { name: 'side', image: 'busybox' }] };
    const outcome = await perform(spec({}, both));
    expect(outcome.error).toBe('container job: exit code 3 Error');
    expect(String(outcome.result['Logs']).split('\n').toSorted()).toEqual([
      '',
      '[first] preparing',
      '[job] working',
      '[side] beside',
    ]);
    cluster.scripts['first'] = { lines: [], exitCode: 1 };
    expect(await perform(spec({}, both), { more: { actionId: 'x-1' } })).toMatchObject({
      error: 'container first: exit code 1 Error',
      result: { containers: [{ exitCode: 1 }, { reason: 'did not begin' }, { reason: 'did not begin' }] },
    });
    expect(cluster.there.size).toBe(0);
  },
  WAIT,
);

test(
  'files are kept: the log, and what a container left in a folder',
  async () => {
    cluster.files = { '/out/report.txt': 'all is well\n' };
    const artifacts = ['/dev/stdout', '/out/report.txt', '/out/missing.txt'].map((path) => ({ path }));
    const outcome = await perform(spec({ artifacts, maxLength: 6 }));
    expect(outcome.files?.map(({ name, content }) => [name, String(content)])).toEqual([
      ['stdout.log', 'one\ntwo parts\n'],
      ['report.txt', 'all is well\n'],
    ]);
    expect(outcome).toMatchObject({
      error: null,
      result: { Logs: 'parts\n', problems: [expect.stringContaining('missing.txt') as string] },
    });
    expect(cluster.made[0]?.spec).toMatchObject({
      volumes: [{ name: 'holdfast-artifacts-0', emptyDir: {} }],
      containers: [
        { name: 'job', volumeMounts: [{ name: 'holdfast-artifacts-0', mountPath: '/out' }] },
        { name: 'holdfast-artifacts', volumeMounts: [{ name: 'holdfast-artifacts-0', mountPath: '/out' }] },
      ],
    });
  },
  WAIT,
);

test(
  'a cancel takes the pod away while it runs; what it wrote is kept',
  async () => {
    cluster.scripts = { job: { lines: ['begun\n'], exitCode: null } };
    const ending = new AbortController();
    const output = () => ending.abort();
    const outcome = await perform(spec(), { more: { signal: ending.signal, output } });
    expect(outcome.error).not.toBeNull();
    expect(outcome.result['Logs']).toBe('begun\n');
    expect(cluster.there.size).toBe(0);
  },
  WAIT,
);

test(
  'what keeps a pod from running is said, and the pod is taken away',
  async () => {
    cluster.scripts = { job: { lines: [], exitCode: 0, stuck: 'ImagePullBackOff' } };
    expect((await perform(spec())).error).toBe('pod: job: ImagePullBackOff: Back-off pulling image');
    expect(cluster.there.size).toBe(0);
    cluster.refusal = { status: 403, message: 'pods "tidy" is forbidden: violates PodSecurity' };
    expect((await perform(spec())).error).toContain('violates PodSecurity');
    expect((await perform(spec(), { allow: [] })).error).toContain('not allowed');
  },
  WAIT,
);

test.each([
  [{ name: 'Not a name' }, {}, 'is no name of a pod'],
  [{ connection: undefined }, {}, "the server's own account in a cluster is for playbooks of files only"],
  [{ namespace: 'kube/../x' }, {}, 'is no name of a namespace'],
  [{ artifacts: [{ path: '/out/*.txt' }] }, {}, 'without wildcards'],
  [{}, { restartPolicy: 'Always' }, 'must be Never'],
  [{}, { containers: [] }, 'at least one container'],
  [{}, { containers: [{ ...job, command: ['python3', '-c', `print(${HOLE})`] }] }, 'is a program'],
  [{}, { containers: [{ ...job, command: [HOLE] }] }, 'is a program'],
  [{}, { containers: [{ ...job, args: [`$(${HOLE})`], command: ['echo'] }] }, 'would name a variable'],
])(
  'is refused before anything is made: %o %o',
  async (more, podSpec, message) => {
    await expect(perform(spec(more, podSpec), { value: 'x' })).rejects.toThrow(message);
    expect(cluster.made).toEqual([]);
  },
  WAIT,
);

test('whatever a value is, it is one text of the manifest, names no variable, and is in no script', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('$(TOKEN)', '$$(TOKEN)', '"; touch x', '`x`', '$', '(TOKEN)', '}', '\n- x', '-c'),
  );
  const container = {
    ...job,
    args: ['--', HOLE, `--name=${HOLE}`],
    env: [
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
      { name: 'GIVEN', value: `a ${HOLE}` },
    ],
  };
  // As the cluster expands it.
  const expanded = (text: string) => text.replaceAll('$$', '$');
  await fc.assert(
    fc.asyncProperty(hostile, async (value) => {
      fc.pre(!value.includes('\0'));
      cluster.refusal = { status: 403, message: 'asked for is enough' };
      cluster.made.length = 0;
      await perform(spec({}, { containers: [container] }), { value });
      const [made] = cluster.made[0]?.spec.containers ?? [];
      expect(made?.command).toEqual(['sh', '-c', 'echo "${H2_HOLDFAST_VALUE_1}"']);
      expect(made?.args?.map(expanded)).toEqual(['--', value, `--name=${value}`]);
      const env = Object.fromEntries(
        (made?.env ?? []).map((entry) => [entry.name, expanded(entry.value ?? '')]),
      );
      expect(env).toEqual({ TOKEN: '', GIVEN: `a ${value}`, H2_HOLDFAST_VALUE_1: value });
      for (const text of [...(made?.args ?? []), ...(made?.env ?? []).map((entry) => entry.value ?? '')])
        expect(text.replaceAll('$$', '')).not.toMatch(/\$\(/);
    }),
    { numRuns: 20 },
  );
}, 120_000);
