/** s3, folder in S3, cloudwatch, awsConfig, awsConfigRule: AWS's own clients over a server that answers in its protocols. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJsonServer } from '../../testing/json-server.ts';
import type { Asked, JsonAnswer, JsonServer } from '../../testing/json-server.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { runKind } from '../../testing/run-kind.ts';

const objects = new Map<string, string>();
let alarmState = 'ALARM';
let shopState = 'OK';
let compliance = 'NON_COMPLIANT';

function bucket({ method, url, body }: Asked): JsonAnswer {
  if (url.searchParams.has('list-type'))
    return {
      body: `<?xml version="1.0"?><ListBucketResult><KeyCount>${objects.size}</KeyCount></ListBucketResult>`,
    };
  if (method === 'PUT') objects.set(url.pathname, body);
  return { body: objects.get(url.pathname) ?? '' };
}

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;
/** Key, bytes, age in hours; a folder that a console made is among them. */
const ARCHIVE: readonly [string, number, number][] = [
  ['mysql/', 0, 900],
  ['mysql/a/backup.zip', 4000, 2],
  ['mysql/b/backup.zip', 100, 30],
  ['mysql-old/backup.zip', 1, 9000],
  ['readme.txt', 5, 1],
];

/** Two objects a page, as ListObjectsV2 answers them. */
function archive({ url }: Asked): JsonAnswer {
  const from = Number(url.searchParams.get('continuation-token') ?? 0);
  const all = ARCHIVE.filter(([key]) => key.startsWith(url.searchParams.get('prefix') ?? ''));
  const contents = all.slice(from, from + 2).map(([key, size, hours]) => {
    const at = new Date(NOW_MS - hours * HOUR_MS).toISOString();
    return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${at}</LastModified></Contents>`;
  });
  const isCut = from + 2 < all.length;
  const next = isCut ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  return {
    body: `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  };
}

/** One thing a page, as services answer that have more. */
function paged<Item>(all: readonly Item[], token: unknown): { items: Item[]; NextToken?: string } {
  const from = Number(token ?? 0);
  const next = from + 1 < all.length ? { NextToken: String(from + 1) } : {};
  return { items: all.slice(from, from + 1), ...next };
}

/** Alarms of the kinds that are asked for: of metrics only, where none is named. */
function alarms({ body }: Asked): JsonAnswer {
  const asked = JSON.parse(body) as { AlarmTypes?: string[]; NextToken?: string };
  const { AlarmTypes = ['MetricAlarm'] } = asked;
  const all = [
    { type: 'MetricAlarm', alarm: { AlarmName: 'disk', StateValue: 'OK' } },
    { type: 'MetricAlarm', alarm: { AlarmName: 'cpu', StateValue: alarmState } },
    { type: 'CompositeAlarm', alarm: { AlarmName: 'shop', StateValue: shopState } },
  ].filter(({ type }) => AlarmTypes.includes(type));
  const { items, ...next } = paged(all, asked.NextToken);
  const of = (wanted: string) => items.filter(({ type }) => type === wanted).map(({ alarm }) => alarm);
  return { body: { MetricAlarms: of('MetricAlarm'), CompositeAlarms: of('CompositeAlarm'), ...next } };
}

function rules({ body }: Asked): JsonAnswer {
  const { NextToken: token } = JSON.parse(body) as { NextToken?: string };
  const all = [
    { ConfigRuleName: 'good', Compliance: { ComplianceType: 'COMPLIANT' } },
    { ConfigRuleName: 'r', Compliance: { ComplianceType: compliance } },
  ];
  const { items, ...next } = paged(all, token);
  return { body: { ComplianceByConfigRules: items, ...next } };
}

function rows({ body }: Asked): JsonAnswer {
  const asked = JSON.parse(body) as { Expression: string; NextToken?: string };
  // A table without an end.
  if (asked.Expression.includes('everything'))
    return { body: { Results: Array.from({ length: 100 }, () => '{}'), NextToken: `${asked.NextToken}1` } };
  const { items, ...next } = paged(['{"resourceId":"a"}', '{"resourceId":"b"}'], asked.NextToken);
  return { body: { Results: items, ...next } };
}

function answer(asked: Asked): JsonAnswer | null {
  if (asked.headers['authorization']?.includes('Credential=key/') !== true)
    return { status: 403, body: { __type: 'AccessDenied' } };
  const target = String(asked.headers['x-amz-target'] ?? asked.url.pathname);
  if (asked.url.pathname.startsWith('/backups')) return bucket(asked);
  if (asked.url.pathname.startsWith('/archive')) return archive(asked);
  if (/DescribeAlarms/.test(target)) return alarms(asked);
  if (/SelectResourceConfig/.test(target)) return rows(asked);
  if (/DescribeComplianceByConfigRule/.test(target)) return rules(asked);
  return null;
}

let server: JsonServer;
beforeAll(async () => {
  server = await startJsonServer(answer);
});
afterAll(() => server.stop());
const at = (accessKey = 'key') => ({
  accessKey,
  secretKey: 'secret',
  region: 'eu-west-1',
  endpoint: server.url,
});

test('s3 lists, and reads what it wrote', async () => {
  const spec = { ...at(), bucketName: 'backups', objectPath: 'dummy', usePathStyle: true };
  expect(await runKind('s3', spec)).toMatchObject({
    pass: true,
    error: null,
    data: { results: { isEmpty: true } },
  });
  expect(objects.size).toBe(1);
  expect(await runKind('s3', { ...spec, ...at('other') })).toMatchObject({ pass: false, invalid: false });
});

test('the token of a session is sent beside its keys', async () => {
  const from = server.asked.length;
  const spec = {
    ...at(),
    url: server.url,
    endpoint: undefined,
    bucketName: 'backups',
    sessionToken: 'of-session',
  };
  expect(await runKind('s3', spec)).toMatchObject({ pass: true });
  const [asked] = server.asked.slice(from);
  expect(asked?.headers).toMatchObject({ 'x-amz-security-token': 'of-session' });
  // What is given as url is an endpoint, too: the bucket stands in its path.
  expect(asked?.url.pathname).toBe('/backups/');
});

test.each<[string, object, string[]]>([
  ['archive', {}, ['mysql/a/backup.zip', 'mysql/b/backup.zip', 'mysql-old/backup.zip', 'readme.txt']],
  ['archive/mysql', {}, ['mysql/a/backup.zip', 'mysql/b/backup.zip']],
  ['archive/**/a/*.zip', {}, ['mysql/a/backup.zip']],
  ['archive/*', {}, ['readme.txt']],
  [
    'archive',
    { filter: { regex: 'backup.zip$', minSize: '50b' } },
    ['mysql/a/backup.zip', 'mysql/b/backup.zip'],
  ],
])('folder lists s3://%s of %o, page by page', async (path, more, names) => {
  const found = await runKind('folder', { path: `s3://${path}`, awsConnection: at(), ...more });
  expect(found).toMatchObject({ pass: true, data: { results: { count: names.length } } });
  const { files } = found.data['results'] as { files: { name: string }[] };
  expect(files.map(({ name }) => name)).toEqual(names);
});

test('folder in S3 is judged as a local one, from anybody’s canary, and with keys of its own only', async () => {
  const spec = { path: 's3://archive/mysql', awsConnection: { ...at(), objectPath: '**/*.zip' } };
  expect(await runKind('folder', { ...spec, maxAge: '2d', minCount: 2 })).toMatchObject({ pass: true });
  expect(await runKind('folder', { ...spec, maxAge: '1d' })).toMatchObject({
    pass: false,
    error: 'mysql/b/backup.zip is older than 1d',
  });
  expect(await runKind('folder', { ...spec, totalSize: '1G' })).toMatchObject({ pass: false, invalid: true });
  const byUser = kindSetting({ trust: 'user', isExecAllowed: false });
  expect(await runKind('folder', spec, byUser)).toMatchObject({
    notRun: expect.stringMatching(/127\.0\.0\.1|not allowed/),
  });
  const wrong = { ...spec, awsConnection: at('other') };
  expect(await runKind('folder', wrong)).toMatchObject({ pass: false, invalid: false });
  expect(await runKind('folder', { path: 's3://archive' })).toMatchObject({
    notRun: expect.stringContaining('own credentials are not used'),
  });
});

test('cloudwatch fails with an alarm unless something else judges', async () => {
  expect(await runKind('cloudwatch', at())).toMatchObject({
    pass: false,
    error: 'in alarm: cpu',
    data: { results: { MetricAlarms: [{ AlarmName: 'disk' }, { AlarmName: 'cpu' }] } },
  });
  expect(await runKind('cloudwatch', { ...at(), test: { expr: 'true' } })).toMatchObject({ pass: true });
  alarmState = 'OK';
  expect(await runKind('cloudwatch', at())).toMatchObject({ pass: true });
  shopState = 'ALARM';
  expect(await runKind('cloudwatch', at())).toMatchObject({ pass: false, error: 'in alarm: shop' });
});

test('awsConfig answers rows of all pages, and says so where they are too many', async () => {
  expect(await runKind('awsConfig', { ...at(), query: 'SELECT resourceId' })).toMatchObject({
    pass: true,
    data: { results: [{ resourceId: 'a' }, { resourceId: 'b' }] },
  });
  const everything = { ...at(), query: 'SELECT everything', test: { expr: 'true' } };
  expect(await runKind('awsConfig', everything)).toMatchObject({
    pass: false,
    error: expect.stringContaining('more than 5000 rows'),
  });
});

test('awsConfigRule fails with a rule that is not complied with, but for those to leave out', async () => {
  expect(await runKind('awsConfigRule', at())).toMatchObject({ pass: false, error: 'not complied with: r' });
  expect(await runKind('awsConfigRule', { ...at(), ignoreRules: ['r'] })).toMatchObject({ pass: true });
  compliance = 'COMPLIANT';
  expect(await runKind('awsConfigRule', at())).toMatchObject({ pass: true });
});

test("the server's own credentials are never used", async () => {
  const { accessKey: _key, ...without } = at();
  expect(await runKind('cloudwatch', without)).toMatchObject({ pass: false, invalid: true });
});
