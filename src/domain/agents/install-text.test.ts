import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commandText,
  containerText,
  fluxDocuments,
  helmText,
  systemdText,
  telemetryName,
  type AgentInstall,
} from './install-text.ts';

const PLAIN: AgentInstall = {
  host: 'https://ops.example.com',
  agentName: 'site-a',
  token: 'pass.salt.1.65536.4',
  kubernetes: null,
  telemetry: null,
};
const FULL: AgentInstall = {
  ...PLAIN,
  kubernetes: { interval: '30m' },
  telemetry: { topologyName: 'acme-https://ops.example.com' },
};

/** What means something to a shell or to Helm. */
const SIGNS = ['a', "'", '"', '$', '`', '\\', ',', ';', ' ', '&', '|'];

/** The words that a shell makes of each command. */
function wordsOf(command: string): string[] {
  const text = command.replace(/^helm install/, "printf '%s\\n'");
  return execFileSync('/bin/sh', ['-c', text]).toString().replace(/\n$/, '').split('\n');
}

describe('the Helm text', () => {
  it('sets what the charts need, and a second release for the cluster', () => {
    const [repository, agent = '', cluster = ''] = helmText(FULL).split('\n\n');
    expect(repository).toContain('https://flanksource.github.io/charts');
    expect(wordsOf(agent)).toEqual([
      'mc-agent',
      'flanksource/mission-control-agent',
      '-n',
      'mission-control-agent',
      '--create-namespace',
      ...[
        'upstream.createSecret=true',
        'upstream.host=https://ops.example.com',
        'upstream.username=token',
        'upstream.password=pass.salt.1.65536.4',
        'upstream.agentName=site-a',
        'pushTelemetry.enabled=true',
        'pushTelemetry.topologyName=acme-https://ops.example.com',
      ].flatMap((value) => ['--set', value]),
    ]);
    expect(wordsOf(cluster)).toEqual([
      'mc-agent-kubernetes',
      'flanksource/mission-control-kubernetes',
      '-n',
      'mission-control-agent',
      '--create-namespace',
      ...['scraper.clusterName=site-a', 'scraper.interval=30m'].flatMap((value) => ['--set', value]),
    ]);
    expect(helmText(PLAIN).split('\n\n')).toHaveLength(2);
    expect(helmText(PLAIN)).not.toContain('pushTelemetry');
  });

  it('keeps whatever is typed one value: no shell and no list of Helm’s is made of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...SIGNS) }), (topologyName) => {
        const [, agent = ''] = helmText({ ...PLAIN, telemetry: { topologyName } }).split('\n\n');
        const last = wordsOf(agent).at(-1) ?? '';
        const value = last.replace(/^pushTelemetry\.topologyName=/, '').replaceAll(/\\([\\,])/g, '$1');
        expect(value).toBe(topologyName);
      }),
      { numRuns: 25 },
    );
  });
});

it('the Flux text has a namespace, a repository and the releases', () => {
  const all = fluxDocuments(FULL) as { kind: string; apiVersion: string; spec?: { interval: string } }[];
  expect(all.map(({ kind, spec }) => [kind, spec?.interval])).toEqual([
    ['Namespace', undefined],
    ['HelmRepository', '5m0s'],
    ['HelmRelease', '1m'],
    ['HelmRelease', '1m'],
  ]);
  expect(all[2]).toMatchObject({
    apiVersion: 'helm.toolkit.fluxcd.io/v2beta1',
    spec: {
      values: {
        upstream: {
          createSecret: true,
          host: 'https://ops.example.com',
          username: 'token',
          password: 'pass.salt.1.65536.4',
          agentName: 'site-a',
        },
        pushTelemetry: { enabled: true, topologyName: 'acme-https://ops.example.com' },
      },
    },
  });
  expect(all[3]).toMatchObject({ spec: { values: { clusterName: 'site-a', interval: '30m' } } });
  expect(fluxDocuments(PLAIN)).toHaveLength(3);
});

it('a machine runs this program with the settings of an agent, and shows its token to nobody else', () => {
  expect(commandText(PLAIN)).toContain(
    'UPSTREAM_PASSWORD=pass.salt.1.65536.4 \\\nAGENT_NAME=site-a \\\nnpm start',
  );
  for (const text of [systemdText(PLAIN), containerText(PLAIN)]) {
    expect(text).toContain('install -m 600 /dev/null /etc/holdfast/agent.env');
    expect(text).toContain('UPSTREAM_URL=https://ops.example.com\n');
    expect(text.split(PLAIN.token)).toHaveLength(2);
    expect(text).not.toContain('npx');
    execFileSync('/bin/sh', ['-n'], { input: text });
  }
});

it('an agent with a cluster is given its kubeconfig on a machine; one without is not', () => {
  for (const text of [commandText, systemdText, containerText]) {
    expect(text(PLAIN)).not.toContain('kubeconfig');
    execFileSync('/bin/sh', ['-n'], { input: text(FULL) });
  }
  expect(commandText(FULL)).toContain('KUBECONFIG=./kubeconfig \\\nnpm start');
  expect(systemdText(FULL)).toMatch(
    /useradd.*\n.*install -o holdfast -m 400 kubeconfig \/etc\/holdfast\/kubeconfig\n/,
  );
  expect(containerText(FULL)).toContain('-v /etc/holdfast/kubeconfig:/etc/holdfast/kubeconfig:ro');
  for (const text of [systemdText(FULL), containerText(FULL)])
    expect(text).toContain('KUBECONFIG=/etc/holdfast/kubeconfig\n');
});

it('telemetry is kept under the name with the organisation’s slug, where there is one', () => {
  expect(telemetryName('ops', 'acme')).toBe('acme-ops');
  expect(telemetryName('ops', null)).toBe('ops');
});
