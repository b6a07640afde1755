/** One settings resource: what it says, to change where that is allowed, and what its jobs did (spec 2 §2). */
import type { SettingsRow } from '../../../contract/http/table-views.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { may } from '../../../domain/access/matrix.ts';
import { RESOURCES, type ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { agentOf, isEditable } from '../../../domain/settings/resource-source.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Page } from '../../../ui/page/Page.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { TabList } from '../../../ui/page/TabList.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { useTableState } from '../../../ui/tables/use-table-state.ts';
import { JobTable } from '../jobs/JobTable.tsx';
import { NEWEST_OF_ONE } from '../jobs/url-state.ts';
import { useJobs } from '../jobs/use-jobs.ts';
import classes from '../settings.module.css';
import { resourceSearch } from '../search-schemas.ts';
import { messages } from './messages.ts';
import { NotRunChecks } from './NotRunChecks.tsx';
import { ResourceForm } from './ResourceForm.tsx';
import { TeamMembers } from './TeamMembers.tsx';

const NO_TABLE = { sortBy: undefined, sortOrder: undefined, pageIndex: undefined, pageSize: undefined };

const ONE_VIEW = {
  teams: 'team',
  incident_rules: 'incident_rule',
  config_scrapers: 'config_scraper',
  topologies: 'topology',
  canaries: 'canary',
  logging_backends: 'logging_backend',
} as const satisfies Record<ResourceKind, string>;

function readOnlyReason(row: SettingsRow, mayWrite: boolean): string | null {
  if (!mayWrite) return messages.readOnly.role;
  if (isEditable(row)) return null;
  return agentOf(row) !== null ? messages.readOnly.agent : messages.readOnly.source(row.source ?? '');
}

function JobHistory({ type, id }: { type: string; id: string }) {
  const { state, setState } = useTableState('resource-jobs', NEWEST_OF_ONE);
  const jobs = useJobs(
    [
      { op: 'eq', column: 'resource_type', value: type },
      { op: 'eq', column: 'resource_id', value: id },
    ],
    state,
  );
  return (
    <div className={classes.tableArea}>
      <JobTable jobs={jobs} state={state} defaultSort={NEWEST_OF_ONE} onState={setState} />
    </div>
  );
}

interface ResourceList {
  path: string;
  title: string;
  /** Once it was saved, the list is shown again. */
  isNextAfterSave?: true;
}

interface ResourcePageProps {
  kind: ResourceKind;
  id: string;
  reader: { id: string; roles: readonly string[] };
  /** The list that it is one of, when not among the settings. */
  list?: ResourceList;
}

function listOf({ kind, list }: Pick<ResourcePageProps, 'kind' | 'list'>): ResourceList {
  return list ?? { path: `/settings/${kind}`, title: RESOURCES[kind].title };
}

/** The parts that a kind has beside its spec, by their name in the address. */
function partsOf(kind: ResourceKind): { key: string; text: string }[] {
  return [
    { key: 'spec', text: messages.tabs.spec },
    ...(kind === 'teams' ? [{ key: 'members', text: messages.tabs.members }] : []),
    ...(RESOURCES[kind].jobType === null ? [] : [{ key: 'jobHistory', text: messages.tabs.jobs }]),
  ];
}

function Part({ part, ...props }: Omit<ResourcePageProps, 'id'> & { row: SettingsRow; part: string }) {
  const { row, kind, reader } = props;
  const device = useDevice();
  const { jobType, area } = RESOURCES[kind];
  const mayWrite = may(reader.roles, area, 'write');
  return (
    <>
      {part === 'jobHistory' && jobType !== null && <JobHistory type={jobType} id={row.id} />}
      {part === 'members' && <TeamMembers teamId={row.id} mayWrite={mayWrite} />}
      {/* Out of sight, what is typed stays. */}
      <div hidden={part !== 'spec'}>
        {kind === 'canaries' && <NotRunChecks canaryId={row.id} />}
        <ResourceForm
          key={row.id}
          kind={kind}
          row={row}
          userId={reader.id}
          readOnly={readOnlyReason(row, mayWrite)}
          onDone={() => props.list?.isNextAfterSave === true && device.navigate(props.list.path)}
          onCancel={() => device.navigate(listOf(props).path)}
        />
      </div>
    </>
  );
}

function Tabs(props: Omit<ResourcePageProps, 'id'> & { row: SettingsRow }) {
  const { kind } = props;
  const [search, change] = useSearchState(resourceSearch);
  const parts = partsOf(kind);
  const part = parts.find(({ key }) => key === search.tab)?.key ?? 'spec';
  return (
    <>
      {parts.length > 1 && (
        <TabList
          label={messages.tabsLabel}
          tabs={parts}
          selected={part}
          panelId="resource-panel"
          // The table of another part is not this one's.
          onSelect={(tab) => change({ ...NO_TABLE, tab: tab === 'spec' ? undefined : tab })}
        />
      )}
      <div id="resource-panel" className={classes.panelWide}>
        <Part {...props} part={part} />
      </div>
    </>
  );
}

/** The resource, as the server or this device has it; `isGone` once it is known not to be there. */
export function useResource(kind: ResourceKind, id: string) {
  const { kept, error } = useTable({
    view: ONE_VIEW[kind],
    where: [{ op: 'eq', column: 'id', value: id }],
    limit: 1,
  });
  const row = kept?.value.rows[0];
  const isGone = kept !== null && (row === undefined || (row['deleted_at'] ?? null) !== null);
  return { kept, error, row, isGone };
}

/** One that came from a file or a cluster is shown and not changed here. */
export function ResourcePage(props: ResourcePageProps) {
  const { kind, id } = props;
  const facts = RESOURCES[kind];
  const { kept, error, row, isGone } = useResource(kind, id);
  return (
    <Page title={row?.name ?? facts.singular} lead={facts.singular}>
      <p className={classes.crumbs}>
        <AppLink href={listOf(props).path}>{listOf(props).title}</AppLink>
      </p>
      {kept === null && error === null && <SkeletonRows text={messages.loading} />}
      {kept === null && error !== null && (
        <StateNote title={messages.failed} role="alert">
          <p>{messages.errorText(error)}</p>
        </StateNote>
      )}
      {isGone && <StateNote title={messages.notFound} />}
      {row !== undefined && !isGone && <Tabs {...props} row={row} />}
    </Page>
  );
}
