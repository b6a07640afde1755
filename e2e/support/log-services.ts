/**
 * What log backends ask, on this machine: a real MariaDB; Loki, Elasticsearch, OpenSearch, a cluster, CloudWatch and
 * Google Cloud Logging are played, spoken to by their protocol or their client. Each has one line of `app=all`; Loki has
 * a million of `app=huge`, one each second.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import {
  startLocalServer,
  type Answered,
  type Asked,
} from '../../server/catalog/scrapers/testing/local-server.ts';
import { makeTestCertificate } from '../../server/health/testing/test-certificate.ts';
import { startMariaDb } from '../../server/playbooks/actions/testing/mariadb.ts';

export interface LogServices {
  /** Of a log backend, by its name; the line that it has says `from NAME`. */
  specs: Record<string, object>;
  /** Lines of `app=huge` that were given. */
  given: () => number;
  close: () => Promise<void>;
}

const HUGE = 1_000_000;
const STEP_MS = 1000;
const NOW = Date.now();
const ISO = new Date(NOW - 60_000).toISOString();

function lokiAnswer({ url }: Asked): object {
  const asked = url.searchParams;
  const streams = (values: (string | undefined)[][]) => ({
    status: 'success',
    data: { resultType: 'streams', result: [{ stream: { app: 'played' }, values }] },
  });
  if (asked.get('query')?.includes('app="huge"') !== true)
    return streams([[`${NOW - 60_000}000000`, 'from loki']]);
  const ms = (name: string) => Number(asked.get(name)?.slice(0, -6));
  const newest = Math.max(0, Math.ceil((NOW - ms('end') + 1) / STEP_MS));
  const values: string[][] = [];
  for (let at = newest; at < HUGE && values.length < Number(asked.get('limit')); at += 1) {
    const atMs = NOW - at * STEP_MS;
    if (atMs < ms('start')) break;
    values.push([`${atMs}000000`, `hit ${at} of a million`]);
  }
  return streams(values);
}

function searchAnswer(name: string): object {
  const source = { '@timestamp': ISO, message: `from ${name}`, app: 'all' };
  return { hits: { total: { value: 1 }, hits: [{ _source: source }] } };
}

function cloudwatchAnswer(body: string): object {
  const asked = JSON.parse(body) as { startTime: number; endTime: number };
  const timestamp = NOW - 60_000;
  const isIn = timestamp >= asked.startTime && timestamp <= asked.endTime;
  return { events: isIn ? [{ timestamp, message: 'from cloudwatch', logStreamName: 's' }] : [] };
}

function answer(asked: Asked): Answered {
  const { url, headers, body } = asked;
  const isHuge = body.includes('huge');
  if (String(headers['x-amz-target']).endsWith('DescribeLogGroups'))
    return { body: { logGroups: [{ logGroupName: '/app/all' }] } };
  if (headers['x-amz-target'] !== undefined)
    return { body: isHuge ? { events: [] } : cloudwatchAnswer(body) };
  if (url.pathname === '/token') return { body: { access_token: 'a-token' } };
  if (url.pathname.endsWith('/entries:list')) {
    const entry = { timestamp: ISO, textPayload: 'from gcp', labels: { app: 'all' } };
    return { body: { entries: isHuge ? [] : [entry] } };
  }
  if (url.pathname.endsWith('/_search')) {
    const name = url.pathname.startsWith('/open') ? 'opensearch' : 'elasticsearch';
    return { body: isHuge ? { hits: { total: { value: 0 }, hits: [] } } : searchAnswer(name) };
  }
  return { body: lokiAnswer(asked) };
}

function clusterAnswer({ url }: Asked): Answered {
  if (url.pathname === '/version') return { body: { gitVersion: 'v1.30.0' } };
  if (!url.pathname.endsWith('/pods')) return { body: `${ISO} from kubernetes\n` };
  const pod = { metadata: { name: 'all-1' }, spec: { containers: [{ name: 'main' }] } };
  return { body: { items: url.searchParams.get('labelSelector') === 'app=all' ? [pod] : [] } };
}

const kubeconfigOf = (server: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [{ name: 'a', cluster: { server, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    users: [{ name: 'a', user: { token: 'the-token-of-this-cluster' } }],
  });

async function startSql() {
  const maria = await startMariaDb();
  const db = await createConnection({ uri: maria.url, timezone: 'Z' });
  await db.query('create table app_lines (at datetime(3), app varchar(50), line text)');
  await db.query('insert into app_lines values ?', [[[new Date(NOW - 60_000), 'all', 'from sql']]]);
  await db.end();
  return maria;
}

/** Starts all of them. */
export async function startLogServices(): Promise<LogServices> {
  let given = 0;
  const service = await startLocalServer((asked) => {
    const found = answer(asked);
    given += JSON.stringify(found.body).split('of a million').length - 1;
    return found;
  });
  const cluster = await startLocalServer(clusterAnswer, await makeTestCertificate(2));
  const maria = await startSql();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials = JSON.stringify({
    type: 'service_account',
    client_email: 'reader@p-1.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${service.url}/token`,
  });
  const aws = {
    accessKey: 'AKIA',
    secretKey: 'secret-of-aws-1',
    region: 'eu-west-1',
    logGroup: '/app/$(labels.app)',
  };
  const query =
    'select at as timestamp, line as message, app from app_lines where app = $(labels.app) and at between $(start) and $(end) order by at desc limit $(limit)';
  return {
    specs: {
      loki: { loki: { url: service.url, query: '{cluster="eu"}' } },
      elasticsearch: { elasticsearch: { url: service.url, index: 'logs' } },
      opensearch: { opensearch: { url: service.url, index: 'open' } },
      kubernetes: { kubernetes: { kubeconfig: kubeconfigOf(cluster.url) } },
      cloudwatch: { cloudwatch: { endpoint: service.url, ...aws } },
      gcp: { gcp: { project: 'p-1', endpoint: service.url, credentials } },
      sql: { sql: { connection: maria.url, query } },
    },
    given: () => given,
    close: async () => {
      await Promise.all([service.close(), cluster.close(), maria.close()]);
    },
  };
}
