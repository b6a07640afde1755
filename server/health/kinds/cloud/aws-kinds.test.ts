/** s3, cloudwatch, awsConfig, awsConfigRule: AWS's own clients over a server that answers in its protocols. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJsonServer } from '../../testing/json-server.ts';
import type { Asked, JsonAnswer, JsonServer } from '../../testing/json-server.ts';
import { runKind } from '../../testing/run-kind.ts';

const objects = new Map<string, string>();
let alarmState = 'ALARM';
let compliance = 'NON_COMPLIANT';

function bucket({ method, url, body }: Asked): JsonAnswer {
  if (url.searchParams.has('list-type'))
    return {
      body: `<?xml version="1.0"?><ListBucketResult><KeyCount>${objects.size}</KeyCount></ListBucketResult>`,
    };
  if (method === 'PUT') objects.set(url.pathname, body);
  return { body: objects.get(url.pathname) ?? '' };
}

function answer(asked: Asked): JsonAnswer | null {
  if (asked.headers['authorization']?.includes('Credential=key/') !== true)
    return { status: 403, body: { __type: 'AccessDenied' } };
  const target = String(asked.headers['x-amz-target'] ?? asked.url.pathname);
  if (asked.url.pathname.startsWith('/backups')) return bucket(asked);
  if (/DescribeAlarms/.test(target))
    return { body: { MetricAlarms: [{ AlarmName: 'cpu', StateValue: alarmState }], CompositeAlarms: [] } };
  if (/SelectResourceConfig/.test(target))
    return { body: { Results: ['{"resourceId":"a"}', '{"resourceId":"b"}'] } };
  if (/DescribeComplianceByConfigRule/.test(target))
    return {
      body: {
        ComplianceByConfigRules: [{ ConfigRuleName: 'r', Compliance: { ComplianceType: compliance } }],
      },
    };
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

test('cloudwatch fails with an alarm unless something else judges', async () => {
  expect(await runKind('cloudwatch', at())).toMatchObject({
    pass: false,
    error: 'in alarm: cpu',
    data: { results: { MetricAlarms: [{ AlarmName: 'cpu' }] } },
  });
  expect(await runKind('cloudwatch', { ...at(), test: { expr: 'true' } })).toMatchObject({ pass: true });
  alarmState = 'OK';
  expect(await runKind('cloudwatch', at())).toMatchObject({ pass: true });
});

test('awsConfig answers rows', async () => {
  expect(await runKind('awsConfig', { ...at(), query: 'SELECT resourceId' })).toMatchObject({
    pass: true,
    data: { results: [{ resourceId: 'a' }, { resourceId: 'b' }] },
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
