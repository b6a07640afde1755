import type { SettingsRow } from '../../../contract/http/table-views.ts';
import { links } from '../../../domain/links.ts';
import { RESOURCES, type ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { DEFAULT_SCRAPE_SCHEDULE, namespaceOf, scheduleOf } from '../../../domain/settings/resource-facts.ts';
import { scraperKind } from '../../../domain/settings/scraper-kind.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ScraperIcon } from '../../../ui/marks/ScraperIcon.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { CreatorCell } from '../CreatorCell.tsx';
import { JobStatus } from '../JobStatus.tsx';
import classes from '../settings.module.css';
import { isOwn, SourceText } from '../SourceText.tsx';
import { messages } from './messages.ts';
import { timeColumn } from '../time-column.tsx';

const words = messages.columns;

/** The page of a resource; a canary's own page comes before its form. */
export function resourceHref(kind: ResourceKind, id: string): string {
  return kind === 'canaries' ? links.canarySettings(id) : links.resource(kind, id);
}

/** Where a resource is edited. */
export function resourceEditHref(kind: ResourceKind, id: string): string {
  return kind === 'canaries' ? `${links.canarySettings(id)}/edit` : links.resource(kind, id);
}

function Tags({ labels }: { labels: SettingsRow['labels'] }) {
  const [first, ...rest] = Object.entries(labels ?? {});
  if (first === undefined) return ui.nothing;
  const text = ([key, value]: [string, unknown]) => `${key}: ${String(value)}`;
  return (
    <>
      <Tag name={first[0]} value={String(first[1])} />
      {rest.length > 0 && <span title={rest.map(text).join('\n')}> {messages.moreTags(rest.length)}</span>}
    </>
  );
}

/** A scraper's icon is that of what it reads (spec 2 §2). */
function NameCell({ row, kind }: { row: SettingsRow; kind: ResourceKind }) {
  const name = row.name ?? row.id;
  if (kind !== 'config_scrapers') return name;
  const reads = scraperKind(row['spec']);
  return (
    <span className={classes.named} title={reads}>
      <ScraperIcon kind={reads} />
      {name}
    </span>
  );
}

function JobCell({ row, href }: { row: SettingsRow; href: string }) {
  if (row.job_status === null || row.job_status === undefined) return ui.nothing;
  return (
    <>
      <JobStatus status={row.job_status} />{' '}
      <AppLink href={`${href}?tab=jobHistory`}>{messages.viewDetails}</AppLink>
    </>
  );
}

/** How many incidents a rule has opened, and how many of them go on. */
function incidentsText(row: SettingsRow): string {
  const { incident_count: all, open_incident_count: open } = row;
  if (typeof all !== 'number' || typeof open !== 'number') return ui.nothing;
  return messages.opened(all, open);
}

const INCIDENTS: DataColumn<SettingsRow> = {
  id: 'incident_count',
  header: words.incidents,
  sortValue: ({ incident_count: count }) => (typeof count === 'number' ? count : null),
  cell: incidentsText,
};

type TextColumn = 'schedule' | 'namespace';
type TextOf = (row: SettingsRow) => string | null;

const plain = (id: TextColumn, header: string, textOf: TextOf): DataColumn<SettingsRow> => ({
  id,
  header,
  isPlain: true,
  sortValue: textOf,
  cell: (row) => textOf(row) ?? ui.nothing,
});

/** The list's columns (spec 2 §2); some kinds lack some. */
export function resourceColumns(
  kind: ResourceKind,
  editHref: (id: string) => string,
): DataColumn<SettingsRow>[] {
  const { hidesSchedule } = RESOURCES[kind];
  const defaultSchedule = kind === 'config_scrapers' ? DEFAULT_SCRAPE_SCHEDULE : null;
  return [
    {
      id: 'name',
      header: words.name,
      sortValue: ({ name }) => name ?? null,
      cell: (row) => <NameCell row={row} kind={kind} />,
    },
    ...(kind === 'incident_rules' ? [INCIDENTS] : []),
    {
      id: 'source',
      header: words.source,
      priority: 3,
      isPlain: true,
      isEmpty: isOwn,
      cell: (row) => <SourceText row={row} />,
    },
    ...(hidesSchedule
      ? []
      : [plain('schedule', words.schedule, (row) => scheduleOf(row) ?? defaultSchedule)]),
    plain('namespace', words.namespace, namespaceOf),
    {
      id: 'job_status',
      header: words.jobStatus,
      // A status and the link beside it.
      width: '200px',
      isPlain: true,
      sortValue: (row) => row.job_status ?? null,
      cell: (row) => <JobCell row={row} href={editHref(row.id)} />,
    },
    timeColumn('last_runtime', words.lastRun),
    timeColumn('job_last_failed', words.lastFailed),
    {
      id: 'tags',
      header: words.tags,
      isPlain: true,
      width: '200px',
      isEmpty: ({ labels }) => Object.keys(labels ?? {}).length === 0,
      cell: ({ labels }) => <Tags labels={labels} />,
    },
    timeColumn('created_at', words.createdAt),
    timeColumn('updated_at', words.updatedAt),
    {
      id: 'created_by',
      header: words.createdBy,
      priority: 3,
      isEmpty: (row) => (row.created_by ?? null) === null,
      cell: (row) => <CreatorCell row={row} />,
    },
  ];
}
