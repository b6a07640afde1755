/**
 * How an agent is set up where it is to run (contract §19.15): the charts of Kubernetes by Helm or Flux, and this
 * program on a machine of its own. Texts hold the agent's token, so none of them is kept anywhere.
 */

/** Of the agent that was just made. */
export interface AgentInstall {
  /** Where the agent reaches this server. */
  host: string;
  agentName: string;
  token: string;
  /** How often the cluster is read; null for none. */
  kubernetes: { interval: string } | null;
  telemetry: { topologyName: string } | null;
}

export const SCRAPE_INTERVALS = ['1m', '5m', '10m', '30m', '1h', '2h', '6h', '12h', '24h'] as const;
export const USUAL_INTERVAL = '30m';

const REPOSITORY = 'https://flanksource.github.io/charts';
const NAMESPACE = 'mission-control-agent';
const KUBERNETES_CHART = 'mission-control-kubernetes';
const FLUX_API = 'helm.toolkit.fluxcd.io/v2beta1';
const USERNAME = 'token';

/** The name under which an organisation's telemetry is kept: its slug goes first, where there is one. */
export function telemetryName(topologyName: string, slug: string | null): string {
  return slug === null || slug === '' ? topologyName : `${slug}-${topologyName}`;
}

/** A word of a shell: as it is where nothing in it means anything there. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Helm ends a value at a comma, and reads backslashes. */
const helmValue = (text: string): string => text.replaceAll(/[\\,]/g, String.raw`\$&`);

function helmInstall(release: string, chart: string, values: readonly (readonly [string, string])[]): string {
  const sets = values.map(([name, value]) => `--set ${shellWord(`${name}=${helmValue(value)}`)}`);
  return [
    `helm install ${release} flanksource/${chart}`,
    `-n "${NAMESPACE}" --create-namespace`,
    ...sets,
  ].join(' \\\n  ');
}

/** The commands of Helm. */
export function helmText({ host, agentName, token, kubernetes, telemetry }: AgentInstall): string {
  const agent = helmInstall('mc-agent', NAMESPACE, [
    ['upstream.createSecret', 'true'],
    ['upstream.host', host],
    ['upstream.username', USERNAME],
    ['upstream.password', token],
    ['upstream.agentName', agentName],
    ...(telemetry === null
      ? []
      : ([
          ['pushTelemetry.enabled', 'true'],
          ['pushTelemetry.topologyName', telemetry.topologyName],
        ] as const)),
  ]);
  const parts = [`helm repo add flanksource ${REPOSITORY}\nhelm repo update`, agent];
  if (kubernetes !== null)
    parts.push(
      helmInstall('mc-agent-kubernetes', KUBERNETES_CHART, [
        ['scraper.clusterName', agentName],
        ['scraper.interval', kubernetes.interval],
      ]),
    );
  return parts.join('\n\n');
}

function fluxRelease(name: string, chart: string, values: object): object {
  return {
    apiVersion: FLUX_API,
    kind: 'HelmRelease',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      interval: '1m',
      chart: {
        spec: {
          chart,
          sourceRef: { kind: 'HelmRepository', name: 'flanksource', namespace: NAMESPACE },
          interval: '1m',
        },
      },
      values,
    },
  };
}

/** The manifests of Flux, one document each. */
export function fluxDocuments({ host, agentName, token, kubernetes, telemetry }: AgentInstall): object[] {
  const upstream = { createSecret: true, host, username: USERNAME, password: token, agentName };
  const pushTelemetry = telemetry === null ? {} : { pushTelemetry: { enabled: true, ...telemetry } };
  const documents: object[] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1beta1',
      kind: 'HelmRepository',
      metadata: { name: 'flanksource', namespace: NAMESPACE },
      spec: { interval: '5m0s', url: REPOSITORY },
    },
    fluxRelease('mc-agent', NAMESPACE, { upstream, ...pushTelemetry }),
  ];
  if (kubernetes !== null)
    documents.push(
      fluxRelease('mc-agent-kubernetes', KUBERNETES_CHART, { clusterName: agentName, ...kubernetes }),
    );
  return documents;
}

type Settings = readonly (readonly [string, string])[];

function settingsOf({ host, agentName, token }: AgentInstall): Settings {
  return [
    ['UPSTREAM_URL', host],
    ['UPSTREAM_USER', USERNAME],
    ['UPSTREAM_PASSWORD', token],
    ['AGENT_NAME', agentName],
  ];
}

/** The kubeconfig of the cluster that people are to reach, as it lies there before. */
const GIVEN_KUBECONFIG = 'kubeconfig';
const KUBECONFIG = '/etc/holdfast/kubeconfig';

/** Where the agent finds it; nothing for an agent without a cluster. */
const clusterSettings = ({ kubernetes }: AgentInstall, path: string): Settings =>
  kubernetes === null ? [] : [['KUBECONFIG', path]];

/** Read by the agent's user alone. */
const clusterFile = ({ kubernetes }: AgentInstall, user: string): string[] =>
  kubernetes === null ? [] : [`sudo install -o ${user} -m 400 ${GIVEN_KUBECONFIG} ${KUBECONFIG}`];

/** This program's start command, in a folder of its own. */
export function commandText(install: AgentInstall): string {
  const all = [...settingsOf(install), ...clusterSettings(install, `./${GIVEN_KUBECONFIG}`)];
  const settings = all.map(([name, value]) => `${name}=${shellWord(value)} \\`);
  return ['npm ci', ...settings, 'npm start'].join('\n');
}

const FILE = '/etc/holdfast/agent.env';
const PROGRAM = '/opt/holdfast';

/** Settings in a file that only root reads: neither a list of processes nor a unit shows the token. */
function settingsFile(install: AgentInstall, more: Settings): string {
  const lines = [...settingsOf(install), ...more].map(([name, value]) => `${name}=${value}`);
  return [
    'sudo mkdir -p /etc/holdfast',
    `sudo install -m 600 /dev/null ${FILE}`,
    `sudo tee ${FILE} >/dev/null <<'END'`,
    ...lines,
    'END',
  ].join('\n');
}

/** A service of systemd; the program stands in /opt/holdfast, built. */
export function systemdText(install: AgentInstall): string {
  const unit = [
    '[Unit]',
    `Description=Holdfast agent ${install.agentName}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'User=holdfast',
    'StateDirectory=holdfast',
    `EnvironmentFile=${FILE}`,
    `WorkingDirectory=${PROGRAM}`,
    'ExecStart=/usr/bin/env node scripts/start.mjs',
    'Restart=always',
    'RestartSec=5',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
  ];
  return [
    settingsFile(install, [['DATA_DIR', '/var/lib/holdfast'], ...clusterSettings(install, KUBECONFIG)]),
    'sudo useradd --system --home-dir /var/lib/holdfast holdfast',
    ...clusterFile(install, 'holdfast'),
    '',
    `(cd ${PROGRAM} && sudo npm ci && sudo npm run build)`,
    "sudo tee /etc/systemd/system/holdfast-agent.service >/dev/null <<'END'",
    ...unit,
    'END',
    'sudo systemctl enable --now holdfast-agent',
  ].join('\n');
}

/** A container of the plain image of Node; its data is a volume of its own. */
export function containerText(install: AgentInstall): string {
  const run = [
    'sudo docker run -d --name holdfast-agent --restart unless-stopped',
    `--env-file ${FILE}`,
    `-v ${PROGRAM}:${PROGRAM}:ro -w ${PROGRAM}`,
    '-v holdfast-agent:/home/node --user node',
    ...(install.kubernetes === null ? [] : [`-v ${KUBECONFIG}:${KUBECONFIG}:ro`]),
    'node:20-bookworm node scripts/start.mjs',
  ];
  return [
    settingsFile(install, [['DATA_DIR', '/home/node/holdfast'], ...clusterSettings(install, KUBECONFIG)]),
    // The image's own user.
    ...clusterFile(install, '1000'),
    '',
    `(cd ${PROGRAM} && sudo npm ci && sudo npm run build)`,
    run.join(' \\\n  '),
  ].join('\n');
}
