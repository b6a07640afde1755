/** Where things are found in the app. Features link to each other through this file only (style 6). */
import { INTEGRATIONS } from './integration/integration-types.ts';

const query = (params: Readonly<Record<string, string>>) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

export const links = {
  health: () => '/health',
  check: (checkId: string) => `/health?checkId=${encodeURIComponent(checkId)}`,
  /** The list narrowed to a canary's checks, passing ones included. */
  canaryChecks: (canaryName: string) => `/health?query=${encodeURIComponent(canaryName)}&hidePassing=false`,
  /** The form of a new check; without a kind, what kinds there are. */
  addCheck: (kind?: string) => `/health/add${kind === undefined ? '' : `?${query({ kind })}`}`,
  importChecks: () => '/health/import',
  canaries: () => '/settings/canaries',
  canarySettings: (canaryId: string) => `/settings/canaries/${encodeURIComponent(canaryId)}`,
  config: (configId: string) => `/catalog/${encodeURIComponent(configId)}`,
  /** A tab of a config item's page (spec 2 §2). */
  configTab: (configId: string, tab: string) =>
    `/catalog/${encodeURIComponent(configId)}${tab === 'config' ? '' : `/${tab}`}`,
  configChange: (configId: string, changeId: string) =>
    `/catalog/${encodeURIComponent(configId)}/changes?change=${encodeURIComponent(changeId)}`,
  configInsight: (configId: string, insightId: string) =>
    `/catalog/${encodeURIComponent(configId)}/insights?insight=${encodeURIComponent(insightId)}`,
  catalogType: (type: string) => `/catalog?configType=${encodeURIComponent(type)}`,
  scraper: (scraperId: string) => `/catalog/scrapers/${encodeURIComponent(scraperId)}`,
  component: (componentId: string) => `/topology/${encodeURIComponent(componentId)}`,
  wall: () => '/wall',
  /** A wall's screen with one board, to look at before it hangs there. */
  wallBoard: (boardId: string) => `/wall?board=${encodeURIComponent(boardId)}`,
  /** The paired walls; with a code, the form that confirms it is open. */
  walls: (code?: string) => `/settings/walls${code === undefined ? '' : `?${query({ pair: code })}`}`,
  editBoard: (boardId: string) => `/settings/walls/boards/${encodeURIComponent(boardId)}`,
  newBoard: (boardId: string) => `/settings/walls/boards/${encodeURIComponent(boardId)}?isNew=true`,
  /** A settings resource of a kind (spec 2 §2). */
  resource: (kind: string, id: string) => `/settings/${kind}/${encodeURIComponent(id)}`,
  /** The list of a kind with the form of a new one open. */
  addResource: (kind: string) => `/settings/${kind}?add=true`,
  agent: (agentId: string) => `/settings/agents?id=${encodeURIComponent(agentId)}`,
  incidents: () => '/incidents',
  incident: (incidentId: string) => `/incidents/${encodeURIComponent(incidentId)}`,
  /** The page of an incident, at one of its comments. */
  incidentComment: (incidentId: string, commentId: string) =>
    `/incidents/${encodeURIComponent(incidentId)}?comment=${encodeURIComponent(commentId)}`,
  inbox: () => '/inbox',
  shift: () => '/shift',
  notifications: () => '/notifications',
  /** One notification of the send history. */
  notification: (historyId: string) => `/notifications?${query({ id: historyId })}`,
  notificationRules: () => '/notifications/rules',
  notificationRule: (ruleId: string) => `/notifications/rules?${query({ id: ruleId })}`,
  silences: () => '/notifications/silences',
  silence: (silenceId: string) => `/notifications/silences?${query({ id: silenceId })}`,
  /** The form of a new silence, of this thing where one is named (contract §19.7). */
  addSilence: (thing?: { kind: 'check' | 'config' | 'component' | 'canary'; id: string }) =>
    `/notifications/silences/add${thing === undefined ? '' : `?${query({ [`${thing.kind}_id`]: thing.id })}`}`,
  /** Incidents that have a component for evidence (spec 3 §2 'Links from other places'). */
  componentIncidents: (componentId: string, narrowed: { type?: string; severity?: string } = {}) =>
    `/incidents?${query({ component: componentId, ...narrowed })}`,
  /** Open insights of a component's catalog items. */
  componentInsights: (componentId: string, narrowed: { type?: string; severity?: string } = {}) =>
    `/catalog/insights?${query({ component: componentId, ...narrowed })}`,
  /** The page of what feeds the catalog, the topology or the logs (contract §14.3); null for an unknown type. */
  integration: (type: string, id: string) =>
    INTEGRATIONS.has(type) ? `/settings/integrations/${type}/${encodeURIComponent(id)}` : null,
  integrations: () => '/settings/integrations',
  outbox: () => '/outbox',
  storage: () => '/settings/storage',
  /** The logs of a component (spec 2 §2), and what is looked for in them. */
  logs: (componentId: string, narrowed: { query?: string; start?: string } = {}) =>
    `/logs?${query({ topologyId: componentId, ...narrowed })}`,
  topology: () => '/topology',
  /** A component alone on a page (spec 2 §2). */
  standaloneComponent: (componentId: string) => `/view/topology/${encodeURIComponent(componentId)}`,
  catalog: () => '/catalog',
  playbooks: () => '/playbooks',
  playbook: (playbookId: string) => `/playbooks/${encodeURIComponent(playbookId)}`,
  /** Runs, of one playbook or of all. */
  playbookRuns: (playbookId?: string) =>
    `/playbooks/runs${playbookId === undefined ? '' : `?${query({ playbook: playbookId })}`}`,
  /** Runs on one thing. */
  playbookRunsOn: (kind: 'config' | 'component' | 'check', id: string) =>
    `/playbooks/runs?${query({ [kind]: id })}`,
  /** Runs that are an agent's, of the last year. */
  playbookRunsAt: (agentId: string) =>
    `/playbooks/runs?${query({ agent: agentId, rangeType: 'relative', range: 'now-1y' })}`,
  playbookRun: (runId: string) => `/playbooks/runs/${encodeURIComponent(runId)}`,
  /** Opens the confirmation of what would run against what. */
  approvePlaybookRun: (runId: string) => `/playbooks/runs/${encodeURIComponent(runId)}?approve=true`,
  profileSettings: () => '/profile-settings',
  /** In the help page: what the docs say on installing an agent, on the kubeconfig file. */
  agentHelp: () => '/help#agent',
  kubeconfigHelp: () => '/help#kubeconfig',
  artifact: (artifactId: string) => `/api/artifacts/download/${encodeURIComponent(artifactId)}`,
  kubeconfigFile: () => '/api/kubeconfig',
  /** Hosted mode: choose or make an organisation; what follows when the session works in another one. */
  organizations: () => '/organizations',
  organizationSwitched: () => '/organizations/orgs-switched',
  /** Loaded by the browser: they lead to the provider's own pages. */
  providerSignIn: (returnTo: string) => `/api/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`,
  providerSignOut: () => '/api/auth/oidc/sign-out',
  login: (returnTo: string) => `/login?return_to=${encodeURIComponent(returnTo)}`,
  secondFactor: (returnTo: string) => `/login?aal=aal2&return_to=${encodeURIComponent(returnTo)}`,
  /** Looks again who is signed in, then back or to the login page (spec 1 §8). */
  authStateChecker: (returnTo: string) => `/auth-state-checker?return_to=${encodeURIComponent(returnTo)}`,
} as const;

/** A `return_to` that stays in this app, else `/`: one leading slash, no scheme, no backslash, no control character. */
export function safeReturnTo(text: string | null | undefined): string {
  if (text === null || text === undefined || !/^\/(?![/\\])/.test(text)) return '/';
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\\\u0000-\u001f]/.test(text) ? '/' : text;
}
