import { errorText } from '../../../contract/errors.ts';
import type { ResourceKind } from '../../../domain/settings/resource-kinds.ts';

/** Everything that the settings resources say (spec 2 §2, §5). */
export const messages = {
  total: (count: number) => String(count),
  add: (singular: string) => `Add ${singular}`,
  emptyHints: {
    teams:
      'A team is who looks after something and is asked to help in an incident. Add the first one above.',
    incident_rules:
      'A rule opens an incident when something becomes unhealthy, and ends it when it is well. Add the first one above.',
    config_scrapers:
      'A scraper reads a cluster, a cloud, files or a database into the catalog. Add the first one above.',
    topologies:
      'A topology says which components there are and what they are part of. Add the first one above.',
    canaries:
      'A health check looks at an address, a port or a database on a schedule. Add the first one above.',
    logging_backends: 'A log backend says where the logs of components are kept. Add the first one above.',
  } satisfies Record<ResourceKind, string>,
  failed: 'The list could not be loaded',
  notFound: 'No resources found',
  loading: 'Loading …',
  moreTags: (count: number) => `+${count} more`,
  opened: (all: number, open: number) => (open === 0 ? String(all) : `${all}, ${open} open`),
  viewDetails: 'View details',
  columns: {
    name: 'Name',
    incidents: 'Incidents',
    source: 'Source',
    schedule: 'Schedule',
    namespace: 'Namespace',
    jobStatus: 'Job Status',
    lastRun: 'Last Run',
    lastFailed: 'Last Failed',
    tags: 'Tags',
    createdAt: 'Created',
    updatedAt: 'Updated',
    createdBy: 'Created By',
  },
  form: {
    name: 'Name',
    icon: 'Icon',
    namespace: 'Namespace',
    labels: 'Labels',
    source: 'Source',
    runsOn: 'Runs on',
    thisServer: 'This server',
    onAgent:
      'The agent takes it over within half a minute and runs it where it stands. Try now runs it on this server.',
    spec: 'Spec',
    required: 'This field is required',
    otherKind: (found: string, due: string) => `This is a ${found}; here a ${due} is written`,
    otherName: (found: string, due: string) =>
      `This document is named ${found}, not ${due}: add it as a new one, or paste its spec alone`,
    takenApart: 'The document was taken apart into its fields and its spec',
    missing: (fields: readonly string[]) => `Still to fill in: ${fields.join('; ')}`,
    repeated: (name: string) => `The label ${name} is there twice`,
    save: 'Save',
    saving: 'Saving …',
    update: 'Update',
    updating: 'Updating …',
  },
  members: {
    title: 'Team members',
    none: 'Add team members',
    noneHint: "You haven't added any team members to the team yet.",
    loading: 'Loading the team …',
    add: 'Add users',
    adding: 'Adding …',
    search: 'Search people',
    clearSearch: 'Clear search',
    noMatch: 'No person matches who is not in the team already',
    more: 'There are more: search for a name',
    remove: (name: string) => `Remove ${name}`,
    removeQuestion: 'Remove from this team?',
    removeConfirm: 'Remove',
    added: (names: readonly string[]) => `${names.join(', ')} added to the team successfully`,
    removed: (name: string) => `${name} removed from team successfully`,
    unknown: 'Somebody',
  },
  /** What the form for a new one starts with: something that works, to be changed. */
  examples: {
    logging_backends: `file:
  paths:
    - $(labels.app)/*.log
`,
    incident_rules: `components:
  - types: ['*']
filter:
  status: [unhealthy]
  age: 2m
template:
  title: '{{ .subject.name }} is {{ .subject.status }}'
  severity: high
autoResolve:
  timeout: 10m
autoClose:
  timeout: 24h
`,
  } as Readonly<Record<string, string>>,
  test: { action: 'Test', busy: 'Testing …' },
  tabs: { spec: 'Spec', members: 'Manage Team', jobs: 'Job History' },
  tabsLabel: 'Parts of the resource',
  notRun: 'Not run by this server',
  remove: 'Delete',
  removeTitle: (singular: string) => `Delete ${singular}`,
  removeQuestion: (name: string) => `Are you sure you want to delete ${name}?`,
  added: (name: string) => `${name} added successfully`,
  addedOnAgent: (name: string) => `${name} added: its agent takes it over within half a minute`,
  updated: (name: string) => `${name} updated successfully`,
  removed: (name: string) => `${name} deleted successfully`,
  readOnly: {
    source: (source: string) =>
      `This comes from ${source}: change it there. What is changed here would be overwritten.`,
    agent: 'This comes from an agent: change it there.',
    role: 'You may look at this, not change it.',
  },
  errorText,
} as const;
