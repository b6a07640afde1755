/** Items, components and checks of this device that can be attached: what burns first, then what is newest. */
import { IconTopologyStar3 } from '@tabler/icons-react';
import type { Condition } from '../../../../contract/live-query.ts';
import type { TopologyCard, TopologyQuery } from '../../../../contract/topology-view.ts';
import type { CollectionRow } from '../../../../contract/queries/live-row-schemas.ts';
import { useLiveQuery } from '../../../../data/queries/use-live-query.ts';
import { useTopologyView, type TopologyViewState } from '../../../../data/queries/topology/use-topology.ts';
import { figuresOfHour } from '../../../../domain/check/figures.ts';
import { checkHealth, healthOfWord } from '../../../../domain/check/health.ts';
import type { TriState } from '../../../../domain/tri-state.ts';
import { shownHealth } from '../../../../domain/topology/component-health.ts';
import {
  draftOfCheck,
  draftOfComponent,
  draftOfConfig,
} from '../../../../domain/incident/evidence-snapshot.ts';
import { ConfigIcon } from '../../../../ui/marks/ConfigIcon.tsx';
import { useDevice } from '../../../../ui/Device.tsx';
import { HealthLabel } from '../../../../ui/marks/HealthMark.tsx';
import { TypeIcon } from '../../../../ui/marks/TypeIcon.tsx';
import type { Candidate, CandidateGroup } from './candidate.ts';
import { messages } from './messages.ts';

export interface Candidates {
  isLoaded: boolean;
  groups: readonly CandidateGroup[];
  more: number;
}

const GROUP_ROWS = 50;

interface Asked<Collection> {
  collection: Collection;
  /** The column that says unhealthy. */
  healthField: 'health' | 'status';
  newestBy: string;
  where?: readonly Condition[];
  search: string;
}

/** Two windows: the unhealthy ones, and the rest. */
function useWorstFirst<Collection extends 'configs' | 'checks'>(
  { collection, healthField, newestBy, where = [], search }: Asked<Collection>,
  candidateOf: (row: CollectionRow<Collection>) => Candidate,
): Candidates {
  const shared = {
    collection,
    search,
    sort: [{ field: newestBy, isDescending: true }],
    groupBy: null,
    window: { start: 0, end: GROUP_ROWS },
  };
  const ill = useLiveQuery({
    ...shared,
    where: [...where, { field: healthField, op: 'eq', value: 'unhealthy' }],
  });
  const rest = useLiveQuery({
    ...shared,
    where: [...where, { field: healthField, op: 'not', value: 'unhealthy' }],
  });
  return {
    isLoaded: ill.isLoaded && rest.isLoaded,
    groups: [
      { title: messages.unhealthy, candidates: ill.rows.map(({ row }) => candidateOf(row)) },
      {
        title: search === '' ? messages.recent : messages.found,
        candidates: rest.rows.map(({ row }) => candidateOf(row)),
      },
    ],
    more: ill.total + rest.total - ill.rows.length - rest.rows.length,
  };
}

const STILL_THERE: readonly Condition[] = [{ field: 'deleted_at', op: 'eq', value: null }];

const statusMark = (health: string | null) =>
  health === null || health === '' ? null : <HealthLabel state={healthOfWord(health)} text={health} />;

/** Items of the catalog. */
export function useConfigCandidates(search: string): Candidates {
  return useWorstFirst(
    { collection: 'configs', healthField: 'health', newestBy: 'updated_at', where: STILL_THERE, search },
    (row) => ({
      id: row.id,
      name: row.name ?? row.id,
      icon: <ConfigIcon type={row.type ?? ''} size={16} />,
      mark: statusMark(row.health),
      facts: [row.type, shownHealth(row).status],
      at: row.updated_at,
      draft: draftOfConfig(row),
    }),
  );
}

const EVERY_COMPONENT: TopologyQuery = {
  rootId: null,
  isFlat: true,
  search: '',
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: false,
  sortBy: 'updated_at',
  isDescending: true,
};
const ILL: TriState = { unhealthy: 1 };
const NOT_ILL: TriState = { unhealthy: -1 };

function componentCandidate({
  id,
  name,
  type,
  namespace,
  state,
  status,
  updatedAt,
}: TopologyCard): Candidate {
  return {
    id,
    name,
    icon: <IconTopologyStar3 size={16} stroke={1.6} aria-hidden />,
    mark: <HealthLabel state={state} />,
    facts: [type, namespace, status],
    at: updatedAt,
    draft: draftOfComponent({ id, name, type, status, health: state }),
  };
}

const candidatesOf = ({ getRow }: TopologyViewState) =>
  Array.from({ length: GROUP_ROWS }, (_, at) => getRow(at)).flatMap((card) =>
    card === null ? [] : [componentCandidate(card)],
  );

/** Components of the topology, as each is with everything under it: what its row says is of itself alone. */
export function useComponentCandidates(search: string): Candidates {
  const ill = useTopologyView({ ...EVERY_COMPONENT, search, status: ILL });
  const rest = useTopologyView({ ...EVERY_COMPONENT, search, status: NOT_ILL });
  const groups = [
    { title: messages.unhealthy, candidates: candidatesOf(ill) },
    {
      title: search === '' ? messages.recent : messages.found,
      candidates: candidatesOf(rest),
    },
  ];
  const shown = groups.reduce((sum, { candidates }) => sum + candidates.length, 0);
  return {
    isLoaded: ill.frame.isLoaded && rest.frame.isLoaded,
    groups,
    more: ill.frame.rowCount + rest.frame.rowCount - shown,
  };
}

/** Health checks. */
export function useCheckCandidates(search: string): Candidates {
  const device = useDevice();
  return useWorstFirst(
    { collection: 'checks', healthField: 'status', newestBy: 'last_transition_time', search },
    (row) => {
      const { state } = checkHealth(row, device.now());
      return {
        id: row.id,
        name: row.name,
        icon: <TypeIcon type={row.type} size={16} />,
        mark: <HealthLabel state={state} />,
        facts: [row.type, row.namespace || row.canary_namespace, row.endpoint],
        at: row.last_transition_time ?? row.created_at,
        draft: draftOfCheck({
          ...row,
          health: state,
          latencyMs: figuresOfHour(row, device.now()).latency.p95,
        }),
      };
    },
  );
}
