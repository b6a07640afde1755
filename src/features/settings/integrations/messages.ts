/** Everything that adding an integration says (spec 2 §2 'Integrations'). */
import { errorText } from '../../../contract/errors.ts';

export const messages = {
  add: 'Add Integration',
  title: 'Integrations',
  total: (count: number) => (count === 1 ? '1 integration' : `${count} integrations`),
  failed: 'The integrations could not be loaded',
  emptyHint:
    'What feeds the catalog, the topology and the logs is listed here: scrapers, topologies and log backends. Add the first one above.',
  types: {
    scrapers: 'Catalog Scraper',
    topologies: 'Topology',
    logging_backends: 'Log Backend',
  } as Readonly<Record<string, string>>,
  columns: {
    name: 'Name',
    type: 'Type',
    namespace: 'Namespace',
    source: 'Source',
    jobStatus: 'Job Status',
    lastRun: 'Last Run',
    createdBy: 'Created By',
    createdAt: 'Created At',
    updatedAt: 'Updated At',
  },
  groups: { gitops: 'Add via GitOps', direct: 'Add Directly' },
  direct: {
    topologies: { title: 'Custom Topology', about: 'Components that a document names or looks up' },
    config_scrapers: {
      title: 'Catalog Scraper',
      about: 'Reads a cluster, a cloud, files or a database into the catalog',
    },
    logging_backends: { title: 'Log Backends', about: 'Says where the logs of components are kept' },
  },
  customScraper: 'Custom',
  scraperKinds: 'Kinds of scrapers',
  back: 'Choose another one',
  unknown: 'There is no such integration: choose one of these.',
  gitops: {
    reading: 'Reading what the chart asks for …',
    chart: (name: string, version: string | null) =>
      version === null ? `Chart ${name}` : `Chart ${name} ${version}`,
    noSchema: (reason: string) =>
      `What the chart asks for could not be read (${reason}). Its values are written as YAML; those that you leave out are the chart's own.`,
    kept: (when: string, reason: string) =>
      `These are its fields as of ${when}: its registry could not be asked now (${reason}).`,
    namespace: 'Namespace',
    interval: 'Interval',
    intervalHint: 'How often Flux looks, such as 30m',
    badNamespace: 'Lower-case letters, digits and hyphens, at most 63',
    badInterval: 'A duration such as 30m or 1h',
    required: 'This field is required',
    values: 'Values',
    warning:
      'Nothing is added by this page itself: the chart must be installed in Flux, or by Helm. What it brings is listed here once your cluster has applied it.',
    output: 'What installs it',
    tabs: { flux: 'Flux', helm: 'Helm CLI' },
    copy: 'Copy',
    incomplete: 'Still to fill in:',
    problem: (field: string, message: string) => (field === '' ? message : `${field}: ${message}`),
  },
  errorText,
} as const;
