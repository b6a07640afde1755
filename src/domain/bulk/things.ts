/**
 * What can be done to many things at once: which tables of settings there are, who may change each, and what each has
 * (a pause, labels, a namespace, a run of its own). The bar of a list and the server's command ask here alike.
 */
import type { Area } from '../access/matrix.ts';

export const THING_TABLES = [
  'canaries',
  'config_scrapers',
  'topologies',
  'teams',
  'incident_rules',
  'logging_backends',
  'connections',
  'notifications',
  'notification_silences',
  'playbooks',
  'agents',
] as const;
export type ThingTable = (typeof THING_TABLES)[number];

export interface ThingFacts {
  /** As sentences call one, and several. */
  noun: readonly [one: string, many: string];
  area: Area;
  /** How a pause is kept: a column of its own, or an annotation of the document; null for none. */
  pause: 'column' | 'annotation' | null;
  hasLabels: boolean;
  hasNamespace: boolean;
  /** It runs when somebody asks for it. */
  runs: boolean;
  /** It is over at a time, and can be ended before that. */
  ends: boolean;
  /** Rows say where they come from: what is kept elsewhere is changed there. */
  hasSource: boolean;
}

const PLAIN = {
  pause: null,
  hasLabels: false,
  hasNamespace: false,
  runs: false,
  ends: false,
  hasSource: true,
} as const;

export const THINGS: Readonly<Record<ThingTable, ThingFacts>> = {
  canaries: {
    noun: ['health check', 'health checks'],
    area: 'canaries',
    pause: 'annotation',
    hasLabels: true,
    hasNamespace: true,
    // Its checks are run, each by itself.
    runs: false,
    ends: false,
    hasSource: true,
  },
  config_scrapers: {
    ...PLAIN,
    noun: ['scraper', 'scrapers'],
    area: 'config_scrapers',
    pause: 'column',
    hasNamespace: true,
    runs: true,
  },
  topologies: {
    ...PLAIN,
    noun: ['topology', 'topologies'],
    area: 'topologies',
    pause: 'column',
    hasLabels: true,
    hasNamespace: true,
    runs: true,
  },
  teams: { ...PLAIN, noun: ['team', 'teams'], area: 'database' },
  incident_rules: { ...PLAIN, noun: ['rule', 'rules'], area: 'incident' },
  logging_backends: {
    ...PLAIN,
    noun: ['log backend', 'log backends'],
    area: 'logging_backends',
    hasLabels: true,
  },
  connections: {
    ...PLAIN,
    noun: ['connection', 'connections'],
    area: 'connections',
    hasNamespace: true,
  },
  notifications: {
    ...PLAIN,
    noun: ['notification rule', 'notification rules'],
    area: 'notifications',
    pause: 'column',
    hasNamespace: true,
  },
  notification_silences: { ...PLAIN, noun: ['silence', 'silences'], area: 'notifications', ends: true },
  playbooks: { ...PLAIN, noun: ['playbook', 'playbooks'], area: 'playbooks', hasNamespace: true },
  agents: { ...PLAIN, noun: ['agent', 'agents'], area: 'agents', hasSource: false },
};

/** What is done to a thing, in the order of the bar. */
export const THING_VERBS = ['run', 'pause', 'resume', 'end', 'label', 'move', 'delete'] as const;
export type ThingVerb = (typeof THING_VERBS)[number];

/** What such a thing can have done to it. */
export function verbsOf(table: ThingTable): ThingVerb[] {
  const { pause, hasLabels, hasNamespace, runs, ends } = THINGS[table];
  const has: Readonly<Record<ThingVerb, boolean>> = {
    run: runs,
    pause: pause !== null,
    resume: pause !== null,
    end: ends,
    label: hasLabels,
    move: hasNamespace,
    delete: true,
  };
  return THING_VERBS.filter((verb) => has[verb]);
}
