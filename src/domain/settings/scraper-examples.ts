/** The kinds of scrapers that have a form, with one of each that works: what it has is asked for first. */
import { lookupTable } from '../../lib/lookup-table.ts';
export const SCRAPER_EXAMPLES = lookupTable<{ title: string; example: Record<string, unknown> }>({
  kubernetes: {
    title: 'Kubernetes',
    example: { clusterName: 'production', kubeconfig: { value: '' }, watch: [], exclusions: {} },
  },
  aws: {
    title: 'AWS',
    example: {
      connection: 'connection://default/aws',
      region: ['eu-west-1'],
      cloudtrail: {},
      include: [],
      exclude: [],
    },
  },
  azure: { title: 'Azure', example: { connection: 'connection://default/azure', subscriptionID: '' } },
  azureDevops: {
    title: 'Azure DevOps',
    example: {
      connection: 'connection://default/devops',
      organization: 'acme',
      projects: ['shop'],
      pipelines: ['*'],
    },
  },
  githubActions: {
    title: 'GitHub Actions',
    example: { owner: 'acme', repository: 'shop', personalAccessToken: { value: '' }, workflows: ['*'] },
  },
  http: {
    title: 'HTTP',
    example: {
      url: 'https://api.example.com/hosts',
      type: 'Host',
      id: '$.id',
      name: '$.name',
      items: '$.hosts',
    },
  },
  file: {
    title: 'File',
    example: { type: 'Car', id: '$.reg_no', name: '$.model', paths: ['data/cars/*.json'] },
  },
  kubernetesFile: {
    title: 'Files in pods',
    example: {
      type: 'Config',
      id: '$.id',
      selector: { namespace: 'default', kind: 'Deployment' },
      files: [],
    },
  },
  sql: {
    title: 'SQL',
    example: {
      connection: 'connection://default/database',
      query: '',
      type: 'Host',
      id: '$.id',
      name: '$.name',
    },
  },
  exec: { title: 'Script', example: { script: './hosts.sh', type: 'Host', id: '$.id', name: '$.name' } },
  trivy: {
    title: 'Trivy',
    example: { version: '', scanners: ['vuln'], severity: ['HIGH', 'CRITICAL'], kubernetes: {} },
  },
  postgres: {
    title: 'PostgreSQL server',
    example: { connection: 'connection://default/database', permissions: true },
  },
  clickhouse: {
    title: 'ClickHouse',
    example: {
      connection: 'connection://default/clickhouse',
      query: '',
      type: 'Host',
      id: '$.id',
      name: '$.name',
    },
  },
  logs: {
    title: 'Logs',
    example: {
      loki: { connection: 'connection://default/loki', query: '{app="shop"}' },
      start: '1h',
      limit: 1000,
      id: 'None',
      type: 'None',
    },
  },
  gcp: {
    title: 'Google Cloud',
    example: { connection: 'connection://default/google', project: '', include: [], exclude: [] },
  },
  terraform: { title: 'Terraform state', example: { state: { local: 'data/**/*.tfstate' } } },
  slack: {
    title: 'Slack',
    example: {
      token: { value: '' },
      channels: ['deployments'],
      since: '7d',
      rules: [{ regexp: '(?<name>[a-z-]+) was deployed', mapping: { type: 'Deployment' } }],
    },
  },
  github: {
    title: 'GitHub repositories',
    example: {
      connection: 'connection://default/github',
      repositories: [{ owner: 'acme', repo: '*' }],
      security: true,
      openssf: true,
    },
  },
});
