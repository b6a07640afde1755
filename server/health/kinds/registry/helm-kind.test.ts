/** helm, over a repository and a registry of the test. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJsonServer } from '../../testing/json-server.ts';
import type { Asked, JsonAnswer, JsonServer } from '../../testing/json-server.ts';
import { runKind } from '../../testing/run-kind.ts';
import { makeTestCertificate } from '../../testing/test-certificate.ts';
import { chartIn } from './helm-index.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const BASIC = `Basic ${Buffer.from('u:p').toString('base64')}`;

const indexOf = (elsewhere: string) => `apiVersion: v1
entries:
  cart:
  - name: cart
    urls: [cart-9.0.0.tgz]
    version: 9.0.0
  shop:
  - apiVersion: v2
    dependencies:
    - name: redis
      version: 77.0.0
    description: |
      version: 66.0.0
    name: shop
    urls:
    - charts/shop-1.9.0.tgz
    version: 1.9.0
  # the newest
  - version: "1.10.0"
    appVersion: 3.10
    digest: ${digest('shop 1.10.0')}
    urls:
    - charts/shop-1.10.0.tgz
  - version: 2.0.0-rc.1
    urls: [charts/none.tgz]
  - version: 0.1.0
    digest: ${digest('other')}
    urls:
    - charts/shop-0.1.0.tgz
  - version: 0.2.0
    urls: ['${elsewhere}/away.tgz']
generated: "2026-01-01T00:00:00Z"
`;

describe('a repository', () => {
  let elsewhere: JsonServer;
  let repository: JsonServer;
  const answer = ({ url, headers }: Asked): JsonAnswer | null => {
    if (headers.authorization !== BASIC) return { status: 401 };
    const [, version] = /^\/stable\/charts\/shop-(.*)\.tgz$/.exec(url.pathname) ?? [];
    if (version !== undefined) return { body: `shop ${version}` };
    if (url.pathname === '/empty/index.yaml') return { body: '<html></html>' };
    return /^\/(stable|chartrepo\/library)\/index\.yaml$/.test(url.pathname)
      ? { body: indexOf(elsewhere.url) }
      : null;
  };
  beforeAll(async () => {
    elsewhere = await startJsonServer(() => ({ body: 'away' }));
    repository = await startJsonServer(answer);
  });
  afterAll(() => {
    elsewhere.stop();
    repository.stop();
  });
  const run = (spec: object) =>
    runKind('helm', { url: `${repository.url}/stable`, username: 'u', password: 'p', ...spec });

  test('passes with a chart whose archive is what the index says: the newest that is released, or the one named', async () => {
    expect(await run({ chart: 'shop' })).toMatchObject({
      pass: true,
      error: null,
      data: { results: { version: '1.10.0', digest: digest('shop 1.10.0'), size: 11 } },
    });
    expect(await run({ chart: 'shop', version: '1.9.0' })).toMatchObject({ pass: true });
    expect(await run({})).toMatchObject({ pass: true });
  });

  test.each<[string, object, RegExp]>([
    ['a chart that is not there', { chart: 'sho' }, /has no sho$/],
    ['a version that is not there', { chart: 'shop', version: '66.0.0' }, /has no shop 66/],
    ['an archive of other content', { chart: 'shop', version: '0.1.0' }, /the digest/],
    ['an archive that is not there', { chart: 'cart' }, /9\.0\.0: status 404/],
    ['a wrong password', { chart: 'shop', password: 'x' }, /401/],
  ])('%s has failed', async (_what, spec, error) => {
    expect(await run(spec)).toMatchObject({ pass: false, error: expect.stringMatching(error) });
  });

  test('a page that is no index has failed', async () => {
    const found = await run({ url: `${repository.url}/empty` });
    expect(found).toMatchObject({ pass: false, error: 'index.yaml is no index of charts' });
  });

  test('an archive on another host is a stranger’s choice, and never sent the sign-in', async () => {
    const found = await run({ chart: 'shop', version: '0.2.0' });
    expect(found).toMatchObject({ pass: false, notRun: expect.stringContaining('127.0.0.1') });
    expect(elsewhere.asked).toEqual([]);
  });

  test('a project of a Harbor is found as the product’s specifications name it', async () => {
    const harbor = {
      chartmuseum: repository.url,
      project: 'library',
      auth: { username: 'u', password: 'p' },
    };
    expect(await runKind('helm', harbor)).toMatchObject({ pass: true });
  });
});

test('reads an index that is written in one line', () => {
  const index = JSON.stringify({ entries: { shop: [{ version: '1.0.0', urls: ['a'] }] } });
  expect(chartIn(index, { chart: 'shop', version: undefined })).toMatchObject({ version: '1.0.0' });
  expect(chartIn(index, { chart: 'cart', version: undefined })).toBeNull();
  expect(() => chartIn('[]', { chart: 'shop', version: undefined })).toThrow('no index');
});

describe('a registry', () => {
  let registry: JsonServer;
  const CHART = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
  beforeAll(async () => {
    registry = await startJsonServer(({ url, headers }) => {
      if (headers.authorization !== BASIC) return { status: 401, headers: { 'www-authenticate': 'Basic' } };
      const layer = url.pathname.endsWith('1.0.0_a') ? CHART : 'application/octet-stream';
      return url.pathname.startsWith('/v2/charts/shop/manifests/')
        ? { body: { layers: [{ mediaType: layer, size: 9 }] } }
        : null;
    });
  });
  afterAll(() => registry.stop());
  const run = (spec: object) =>
    runKind('helm', {
      url: `oci://127.0.0.1:${registry.port}/charts`,
      auth: { username: 'u', password: 'p' },
      ...spec,
    });

  test('passes with a version of a chart', async () => {
    expect(await run({ chart: 'shop', version: '1.0.0+a' })).toMatchObject({
      pass: true,
      data: { results: { size: 9 } },
    });
  });
  test('fails with what is no chart or not there, and says what it needs', async () => {
    expect(await run({ chart: 'shop', version: '2.0.0' })).toMatchObject({
      pass: false,
      error: 'charts/shop:2.0.0 is no chart',
    });
    expect(await run({ chart: 'cart', version: '1.0.0' })).toMatchObject({ pass: false, invalid: false });
    expect(await run({ chart: 'shop' })).toMatchObject({ pass: false, invalid: true });
  });
  test('is asked with TLS where that is wanted, and looks at its certificate', async () => {
    const certificate = await makeTestCertificate(2);
    const secure = await startJsonServer(
      () => ({ body: { layers: [{ mediaType: CHART, size: 9 }] } }),
      certificate,
    );
    const wanted = { url: `oci://127.0.0.1:${secure.port}/charts`, chart: 'shop', version: '1.0.0' };
    const tlsConfig = { enable: true, ca: certificate.ca };
    expect(await run({ ...wanted, tlsConfig })).toMatchObject({ pass: true });
    expect(await run({ ...wanted, tlsConfig: { enable: true } })).toMatchObject({
      pass: false,
      error: expect.stringMatching(/certificate/),
    });
    secure.stop();
  });
});
