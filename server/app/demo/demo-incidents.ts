/** The demo's incidents as commands of its people: one in each status, with what hangs on them. Pure data. */
import type {
  IncidentSeverity,
  IncidentStatus,
  IncidentType,
} from '../../../src/domain/incident/incident.ts';
import { demoId } from './demo-company.ts';
import type { DemoPerson } from './demo-company.ts';
import type { PeopleIds } from './demo-records.ts';

type PersonKey = DemoPerson['key'];

/** A command and who sends it. */
export interface DemoCommand {
  by: PersonKey;
  name: string;
  args: Record<string, unknown>;
}

/** Ids that only the running demo knows. */
export interface DemoSubjects {
  /** By the check's name. */
  checks: ReadonlyMap<string, string>;
  /** By the name of the deployment. */
  deployments: ReadonlyMap<string, string>;
  /** Ids of insights by the name of the deployment that they are about. */
  insights: ReadonlyMap<string, string>;
}

interface Hypothesis {
  title: string;
  status: 'proven' | 'likely' | 'possible' | 'unlikely' | 'disproven';
  /** A solution of the factor that stands there in the list. */
  solves?: number;
  check?: string;
  deployment?: string;
  insight?: string;
  isGoal?: boolean;
}

interface Story {
  key: string;
  title: string;
  description: string;
  severity: IncidentSeverity;
  type: IncidentType;
  /** From the first to the last; the last is how it stands. */
  statuses: readonly [IncidentStatus, ...IncidentStatus[]];
  commander: PersonKey;
  hypotheses: readonly Hypothesis[];
  comments: readonly (readonly [PersonKey, string])[];
}

const STORIES: readonly Story[] = [
  {
    key: 'card-payments',
    title: 'Card payments fail for one customer in ten',
    description: 'Since the release of this morning the gateway answers with timeouts.',
    severity: 'critical',
    type: 'availability',
    statuses: ['open'],
    commander: 'noor',
    hypotheses: [
      {
        title: 'The new release keeps too few connections to the bank',
        status: 'likely',
        check: 'card-gateway/write',
        deployment: 'card-gateway',
        isGoal: true,
      },
      { title: 'The bank has an outage', status: 'disproven' },
      { title: 'Roll back to the release before', status: 'possible', solves: 0 },
    ],
    comments: [
      ['jonas', 'The error rate went up four minutes after the release. Nothing else changed.'],
      ['noor', 'The bank says that all is well on their side. I prepare the roll back.'],
    ],
  },
  {
    key: 'slow-search',
    title: 'Search takes three seconds',
    description: 'Queries are slow since the index was built anew.',
    severity: 'high',
    type: 'performance',
    statuses: ['open', 'investigating'],
    commander: 'noor',
    hypotheses: [
      { title: 'The new index does not fit into memory', status: 'likely', deployment: 'indexer' },
      { title: 'One node has a slow disk', status: 'unlikely', check: 'query/list', isGoal: true },
    ],
    comments: [['mei', 'The index grew from 9 to 14 GB. The nodes have 12 GB for it.']],
  },
  {
    key: 'warehouse-queue',
    title: 'Orders wait for the warehouse',
    description: 'The queue between orders and warehouse grows.',
    severity: 'medium',
    type: 'performance',
    statuses: ['open', 'investigating', 'mitigated'],
    commander: 'noor',
    hypotheses: [
      { title: 'Too few consumers since the last scale down', status: 'proven', deployment: 'warehouse' },
    ],
    comments: [
      ['tom', 'Doubled the consumers, the queue is getting shorter.'],
      ['noor', 'Mitigated. We keep watching it until the queue is empty.'],
    ],
  },
  {
    key: 'late-mails',
    title: 'Sign-in mails arrive late',
    description: '',
    severity: 'low',
    type: 'reliability',
    statuses: ['open', 'investigating', 'resolved'],
    commander: 'noor',
    hypotheses: [{ title: 'The mail provider throttles us', status: 'proven', check: 'mail/write' }],
    comments: [['ada', 'The provider has raised the limit. Mails arrive within seconds again.']],
  },
  {
    key: 'image-certificate',
    title: 'Certificate of the image server had expired',
    description: 'Pictures were missing in the shop for eleven minutes.',
    severity: 'blocker',
    type: 'availability',
    statuses: ['open', 'resolved', 'closed'],
    commander: 'noor',
    hypotheses: [
      { title: 'The renewal failed because of a wrong DNS record', status: 'proven', check: 'images/health' },
    ],
    comments: [['ada', 'Renewed by hand, record corrected, and there is a check on the age of it now.']],
  },
  {
    key: 'root-container',
    title: 'Containers that run as root',
    description: 'Found by the nightly analysis.',
    severity: 'warning',
    type: 'security',
    statuses: ['new'],
    commander: 'noor',
    hypotheses: [{ title: 'Old base images', status: 'possible', insight: 'any' }],
    comments: [],
  },
];

/** The last command of the last story makes this: where it is there, everything before it is. */
export const LAST_DEMO_ENTITY = demoId('incident/root-container/responder');

function evidence(hypothesis: Hypothesis, subjects: DemoSubjects): Record<string, unknown>[] {
  const { check = '', deployment = '', insight, isGoal = false } = hypothesis;
  const checkId = subjects.checks.get(check);
  const configId = subjects.deployments.get(deployment);
  const insightId = insight === undefined ? undefined : [...subjects.insights.values()][0];
  return [
    ...(checkId === undefined
      ? []
      : [{ type: 'check', check_id: checkId, definition_of_done: isGoal, description: check }]),
    ...(configId === undefined ? [] : [{ type: 'config', config_id: configId, description: deployment }]),
    ...(insightId === undefined ? [] : [{ type: 'config_analysis', config_analysis_id: insightId }]),
  ];
}

function hypothesisCommands(story: Story, subjects: DemoSubjects): DemoCommand[] {
  const id = (part: string) => demoId(`incident/${story.key}${part}`);
  const incidentId = id('');
  return story.hypotheses.flatMap((hypothesis, index) => {
    const { title, status, solves } = hypothesis;
    const [type, above] = solves === undefined ? ['factor', '/root'] : ['solution', `/hypothesis/${solves}`];
    const hypothesisId = id(`/hypothesis/${index}`);
    return [
      {
        by: story.commander,
        name: 'create_hypothesis',
        args: { id: hypothesisId, incidentId, parentId: id(above), title, status, type },
      },
      ...evidence(hypothesis, subjects).map((args) => ({
        by: story.commander,
        name: 'add_evidence',
        args: {
          ...args,
          id: demoId(`incident/${story.key}/evidence/${index}/${String(args['type'])}`),
          incidentId,
          hypothesisId,
        },
      })),
    ];
  });
}

function storyCommands(story: Story, people: PeopleIds, subjects: DemoSubjects): DemoCommand[] {
  const id = (part: string) => demoId(`incident/${story.key}${part}`);
  const { commander: by, title, description, severity, type, statuses } = story;
  const [first, ...later] = statuses;
  const incidentId = id('');
  const commanderId = people.get(by);
  return [
    {
      by,
      name: 'create_incident',
      args: {
        id: incidentId,
        rootHypothesisId: id('/root'),
        title,
        description,
        severity,
        type,
        status: first,
        commanderId,
      },
    },
    ...hypothesisCommands(story, subjects),
    ...story.comments.map(([author, comment], index) => ({
      by: author,
      name: 'add_comment',
      args: { id: id(`/comment/${index}`), incidentId, hypothesisId: id('/root'), comment },
    })),
    ...later.map((to, index) => ({
      by,
      name: 'set_incident_status',
      args: { id: incidentId, from: statuses[index], to },
    })),
    {
      by,
      name: 'add_responder',
      args: {
        id: id('/responder'),
        incidentId,
        type: 'person',
        personId: people.get(story.comments[0]?.[0] ?? 'jonas'),
      },
    },
  ];
}

/** Everything that happens, in order. */
export function demoIncidentCommands(people: PeopleIds, subjects: DemoSubjects): DemoCommand[] {
  return STORIES.flatMap((story) => storyCommands(story, people, subjects));
}
