/**
 * The topology's answer (schema §6.4, §6.5). Owner, labels, team, agent and hidden decide which rows there are;
 * the lists of statuses, types, teams and labels are over those. Type and status then decide what is shown.
 */
import { matchesLabels } from '../../src/domain/label-selector.ts';
import { isEmptyList, matchesList } from '../../src/domain/match-list.ts';
import type { MatchList } from '../../src/domain/match-list.ts';
import type { RolledUp } from '../../src/domain/topology/component.ts';
import { childIdsOf, reachableFrom, rollUp, statusWords } from '../../src/domain/topology/roll-up.ts';
import type { StatusExpressions } from '../../src/domain/topology/roll-up.ts';
import { presentComponent, presentTrees } from './topology-presenter.ts';
import type { ComponentRow } from './store/components-query.ts';
import { sorterOf } from './sort-components.ts';

const LOCAL_AGENT = '00000000-0000-0000-0000-000000000000';

/** Said where a tree is not shown whole. */
const LEFT_OUT =
  'there are too many ways to these components: the deepest are left out; ask for one by its id, or for less depth';

export interface TopologyQuestion {
  id: string;
  owner: MatchList;
  labels: Parameters<typeof matchesLabels>[0];
  status: MatchList;
  type: MatchList;
  team: MatchList;
  agent_id: MatchList;
  /** `false` leaves hidden components out. */
  hidden: string;
  depth: number;
  flatten: boolean;
  sortBy: string;
  sortOrder: string;
}

/** Wanted by any of the words, refused by none. */
function matchesAny(list: MatchList, words: readonly string[]): boolean {
  if (words.length === 0) return matchesList(list, null);
  const isRefused = words.some((word) => !matchesList({ wanted: [], refused: list.refused }, word));
  return !isRefused && words.some((word) => matchesList({ wanted: list.wanted, refused: [] }, word));
}

function isAsked(row: ComponentRow, question: TopologyQuestion): boolean {
  if (question.hidden === 'false' && row.hidden) return false;
  const agents = row.agent_id === LOCAL_AGENT ? [row.agent_id, 'local'] : [row.agent_id];
  return (
    matchesList(question.owner, row.owner) &&
    matchesLabels(question.labels, row.labels) &&
    matchesAny(question.team, row.team_names ?? []) &&
    (isEmptyList(question.agent_id) || matchesAny(question.agent_id, agents))
  );
}

const distinct = (values: readonly (string | null)[]) =>
  [...new Set(values.filter((value) => value !== null && value !== ''))].toSorted((a, b) =>
    String(a) < String(b) ? -1 : 1,
  );

function labelValues(rows: readonly ComponentRow[]): Record<string, (string | null)[]> {
  const pairs = rows.flatMap(({ labels }) => Object.entries(labels ?? {}));
  const keys = distinct(pairs.map(([key]) => key));
  return Object.fromEntries(
    keys.map((key) => [key, distinct(pairs.filter(([name]) => name === key).map(([, value]) => value))]),
  );
}

/** The rows that there are for this question: with an id, that component and what is under it. */
function rowsFor(all: readonly ComponentRow[], question: TopologyQuestion): ComponentRow[] {
  const asked = all.filter((row) => row.id === question.id || isAsked(row, question));
  if (question.id === '') return asked;
  const reached = reachableFrom(question.id, childIdsOf(asked));
  return asked.filter((row) => reached.has(row.id));
}

/** Answers the question from all live components. */
export async function readTopology(
  all: readonly ComponentRow[],
  question: TopologyQuestion,
  judge: StatusExpressions,
) {
  const rows = rowsFor(all, question);
  const typed = rows.filter((row) => row.id === question.id || matchesList(question.type, row.type));
  const childIds = childIdsOf(typed);
  const rolled = await rollUp(typed, childIds, judge);
  const rolledOf = (row: ComponentRow): RolledUp =>
    rolled.get(row.id) ?? { summary: {}, health: 'unknown', status: row.status, isHealthSaid: false };
  const hasStatus = (row: ComponentRow) => matchesAny(question.status, statusWords(rolledOf(row)));
  const sort = sorterOf({
    by: question.sortBy,
    order: question.sortOrder,
    healthOf: (row) => rolledOf(row).health,
  });
  const forest = {
    rows: new Map(typed.map((row) => [row.id, row])),
    rolled,
    childIds,
    depth: question.depth,
    sort,
    isShownUnderFirst: hasStatus,
  };
  const isFirst = (row: ComponentRow) =>
    question.id === '' ? row.parent_id === null && hasStatus(row) : row.id === question.id;
  const { components, isCut } = question.flatten
    ? {
        components: sort(typed.filter(hasStatus)).map((row) => presentComponent(row, rolledOf(row))),
        isCut: false,
      }
    : presentTrees(forest, sort(typed.filter(isFirst)));
  return {
    components,
    ...(isCut ? { message: LEFT_OUT } : {}),
    healthStatuses: distinct(rows.map((row) => row.judged_status ?? row.status)),
    teams: distinct(rows.flatMap((row) => row.team_names ?? [])),
    tags: labelValues(rows),
    types: distinct(rows.map(({ type }) => type)),
  };
}
