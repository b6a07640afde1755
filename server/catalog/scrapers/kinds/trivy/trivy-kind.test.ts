/** A recorded report, from a file, from a server, and from a command that stands in for trivy. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startLocalServer } from '../../testing/local-server.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { trivyArguments } from './run-trivy.ts';
import { createTrivyKind } from './trivy-kind.ts';

const vulnerability = (id: string, severity: string, name: string) => ({
  VulnerabilityID: id,
  Severity: severity,
  PkgName: name,
  InstalledVersion: '1.0',
  FixedVersion: '1.1',
  Title: `${id} in ${name}`,
  PrimaryURL: `https://avd.aquasec.com/nvd/${id.toLowerCase()}`,
});
const IMAGE = {
  SchemaVersion: 2,
  CreatedAt: '2026-08-21T06:00:00Z',
  ArtifactName: 'shop:1.2',
  ArtifactType: 'container_image',
  Metadata: { ImageID: 'sha256:1' },
  Results: [
    {
      Target: 'shop:1.2 (debian 12)',
      Vulnerabilities: [
        vulnerability('CVE-2024-1', 'CRITICAL', 'openssl'),
        vulnerability('CVE-2024-1', 'CRITICAL', 'libssl3'),
        vulnerability('CVE-2024-2', 'LOW', 'zlib'),
      ],
    },
    {
      Target: 'key.pem',
      Secrets: [{ RuleID: 'private-key', Severity: 'HIGH', Title: 'Key', Match: 'never-stored' }],
    },
    {
      Target: 'licenses',
      Licenses: [{ Name: 'GPL-3.0', Severity: 'HIGH', Category: 'restricted', PkgName: 'x' }],
    },
  ],
};
const CLUSTER = {
  ClusterName: 'kind-local',
  Resources: [
    {
      Namespace: 'shop',
      Kind: 'Deployment',
      Name: 'web',
      Results: [
        {
          Target: 'Deployment/web',
          Misconfigurations: [
            { ID: 'KSV001', Severity: 'MEDIUM', Title: 'Privileges', Message: 'm', Status: 'FAIL' },
            { ID: 'KSV002', Severity: 'MEDIUM', Title: 'Fine', Status: 'PASS' },
          ],
        },
      ],
    },
  ],
};

let folder: string;
const context = scrapeSetting();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-trivy-test-'));
  await writeFile(join(folder, 'image.json'), JSON.stringify(IMAGE));
  await writeFile(join(folder, 'cluster.json'), JSON.stringify(CLUSTER));
  const command = `#!/bin/bash\nprintf '%s\\n' "$@" > ${join(folder, 'arguments')}\ncat ${join(folder, 'cluster.json')}\n`;
  await writeFile(join(folder, 'trivy'), command);
  await chmod(join(folder, 'trivy'), 0o755);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await context.expressions.close();
});
const kind = () => createTrivyKind(join(folder, 'trivy'));

test('an artifact is an item with each finding once, and no match of a secret', async () => {
  const out = await kind().scrape({ report: 'image.json' }, { ...context, baseFolder: folder });
  expect(out.documents).toHaveLength(1);
  const known = out.documents[0]?.known;
  expect(known).toMatchObject({
    type: 'Trivy::ContainerImage',
    name: 'shop:1.2',
    health: 'unhealthy',
    status: '4 findings',
  });
  expect(
    known?.analyses?.map(({ analyzer, severity, analysisType }) => [analyzer, severity, analysisType]),
  ).toEqual([
    ['CVE-2024-1', 'critical', 'security'],
    ['CVE-2024-2', 'low', 'security'],
    ['private-key', 'high', 'security'],
    ['license GPL-3.0', 'high', 'compliance'],
  ]);
  expect(known?.analyses?.[0]?.analysis).toMatchObject({
    places: [{ package: 'openssl' }, { package: 'libssl3' }],
  });
  expect(JSON.stringify(out)).not.toContain('never-stored');
  expect(JSON.stringify(out.documents[0]?.content)).not.toContain('2026-08-21');
});

test('the command is run with the words of the specification, and its findings are about the cluster', async () => {
  const text = readFileSync('../shared/fixtures/scrapers/fixtures/trivy.yaml', 'utf8');
  const entry = z
    .object({ spec: z.object({ trivy: z.array(z.record(z.string(), z.unknown())) }) })
    .parse(parse(text)).spec.trivy[0];
  const out = await kind().scrape({ ...entry }, { ...context, mayExec: true });
  expect(out.documents).toEqual([]);
  expect(out.analyses).toMatchObject([
    {
      about: {
        type: 'Kubernetes::Deployment',
        externalId: 'Kubernetes/kind-local/Deployment/shop/web',
        scope: 'any',
      },
      analyzer: 'KSV001',
      severity: 'medium',
      status: 'open',
    },
  ]);
  const words = readFileSync(join(folder, 'arguments'), 'utf8').split('\n');
  expect(words).toContain('CRITICAL,HIGH');
  expect(words).toContain('misconfig,license,rbac,secret,vuln');
  expect(words).toContain('--ignore-unfixed');
});

test('no word of a specification becomes a command or an option', async () => {
  const allowed = { ...context, mayExec: true };
  const kubernetes = { context: '$(touch /tmp/x); `id`' };
  await kind().scrape({ kubernetes }, allowed);
  expect(readFileSync(join(folder, 'arguments'), 'utf8')).toContain('$(touch /tmp/x); `id`');
  expect(() =>
    trivyArguments({ scanners: ['--output=/etc/x'] }, { cacheDir: '/c', kubeconfig: null }),
  ).toThrow('begin with');
});

test('without the right to run commands, without the command, and with odd reports it says what to do', async () => {
  await expect(kind().scrape({}, context)).rejects.toThrow('ALLOW_EXEC=true');
  const missing = createTrivyKind(join(folder, 'no-such-command'));
  await expect(missing.scrape({}, { ...context, mayExec: true })).rejects.toThrow('not installed');
  const own = { ...context, baseFolder: folder };
  await expect(kind().scrape({ report: '../../etc/hostname' }, own)).rejects.toThrow('outside');
  await expect(kind().scrape({ report: 'trivy' }, own)).rejects.toThrow('not JSON');
  await expect(kind().scrape({ report: 'image.json' }, { ...own, trust: 'user' })).rejects.toThrow(
    'operators',
  );
});

test('a report of a run elsewhere is read from its address', async () => {
  const server = await startLocalServer(({ url }) => ({
    body: url.pathname === '/r' ? CLUSTER : { odd: true },
  }));
  const out = await kind().scrape({ url: `${server.url}/r`, clusterName: 'prod' }, context);
  expect(out.analyses[0]?.about?.externalId).toBe('Kubernetes/prod/Deployment/shop/web');
  await expect(kind().scrape({ url: `${server.url}/odd` }, context)).rejects.toThrow('no report');
  await server.close();
});
