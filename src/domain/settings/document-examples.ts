/** What forms of documents ask for first: the fields that an example has; the rest is a press away. */
import { lookupTable } from '../../lib/lookup-table.ts';

type Example = Readonly<Record<string, unknown>>;

/** Of the places where logs are kept. */
export const LOG_BACKEND_EXAMPLES = lookupTable<{ title: string; example: Example }>({
  file: { title: 'Files', example: { paths: ['$(labels.app)/*.log'] } },
  sql: {
    title: 'SQL',
    example: { connection: 'connection://default/logs', query: '' },
  },
  loki: {
    title: 'Loki',
    example: { url: 'http://loki.example.com:3100', connection: '', query: '{cluster="eu"}', labels: {} },
  },
  elasticsearch: {
    title: 'Elasticsearch',
    example: { url: 'https://logs.example.com:9200', connection: '', index: 'logs-*', query: '' },
  },
  opensearch: {
    title: 'OpenSearch',
    example: { url: 'https://logs.example.com:9200', connection: '', index: 'logs-*', query: '' },
  },
  kubernetes: { title: 'Kubernetes', example: { kubeconfig: '', namespace: 'shop', container: 'web' } },
  cloudwatch: {
    title: 'CloudWatch',
    example: { connection: 'connection://default/aws', region: 'eu-west-1', logGroup: '/shop/web' },
  },
  gcp: {
    title: 'Google Cloud Logging',
    example: { connection: 'connection://default/gcp', project: 'acme-shop', filter: '' },
  },
});

export const RULE_EXAMPLE: Example = {
  components: [],
  checks: [],
  configs: [],
  filter: {},
  template: {},
  autoResolve: {},
  autoClose: {},
};
export const TOPOLOGY_EXAMPLE: Example = { schedule: '@every 5m', icon: '', components: [] };
export const TEAM_EXAMPLE: Example = { responder_clients: {} };
