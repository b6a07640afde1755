import { IconBell, IconBellOff, IconCalendarTime, IconClock, IconTrash } from '@tabler/icons-react';
import type { Pending } from '../../../contract/live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { phaseOf, type SilenceFacts, type SilencePhase } from '../../../domain/notification/silence-row.ts';
import { isEditable } from '../../../domain/settings/resource-source.ts';
import { formatClock, formatInstant } from '../../../domain/time/format.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useTicking } from '../../../ui/hooks/use-ticking.ts';
import { PersonName } from '../../../ui/marks/Avatar.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import type { DataColumn } from '../../../ui/tables/DataTable.tsx';
import { messages } from './messages.ts';
import { thingsOf, type NamedThing } from './silence-form.ts';
import classes from './silences.module.css';
import { useThingName } from './ThingPicker.tsx';

const words = messages.columns;
const ICONS = { active: IconBellOff, between: IconClock, planned: IconCalendarTime, over: IconBell };

export interface SilenceLine extends SilenceFacts {
  pending: Pending;
}

function ThingName({ kind, id }: NamedThing) {
  return (
    <>
      <span>{useThingName(kind, id)}</span>
      <span className={classes.note}>{messages.kinds[kind]}</span>
    </>
  );
}

/** The words of what is silenced: things, labels, an expression. */
function What({ line }: { line: SilenceLine }) {
  const things = thingsOf(line);
  const { selector, filter, isRecursive, pending } = line;
  return (
    <span className={classes.what}>
      {things.map((thing) => (
        <ThingName key={thing.kind} {...thing} />
      ))}
      {things.length > 0 && isRecursive && <span className={classes.note}>{messages.recursive}</span>}
      {selector !== null && <span>{messages.labels(selector)}</span>}
      {filter !== null && <span>{messages.expression(filter)}</span>}
      {things.length === 0 && selector === null && filter === null && messages.nothing}
      {pending !== 'none' && <PendingMark state={pending} />}
    </span>
  );
}

function Phase({ line }: { line: SilenceLine }) {
  const phase = useTicking((nowMs) => phaseOf(line, nowMs)) as SilencePhase;
  const Mark = ICONS[phase];
  return (
    <span className={classes.phase} data-phase={phase}>
      <Mark size={15} aria-hidden />
      {messages.phases[phase]}
    </span>
  );
}

function Duration({ line: { fromMs, untilMs } }: { line: SilenceLine }) {
  const nowMs = useDevice().now();
  return (
    <span title={messages.span(formatInstant(fromMs), formatInstant(untilMs))}>
      {messages.span(formatClock(fromMs, nowMs), formatClock(untilMs, nowMs))}
    </span>
  );
}

function Author({ id }: { id: string | null }) {
  const row = useLiveRow('resources', id ?? '')?.row;
  if (id === null || row === undefined) return ui.nothing;
  return <PersonName name={row.name ?? id} image={row.avatar} />;
}

/** As contract §19.11 has them; `onRemove` null for who may not. */
export function tableColumns(onRemove: ((id: string) => void) | null): DataColumn<SilenceLine>[] {
  return [
    {
      id: 'resource',
      header: words.resource,
      width: 'minmax(220px, 2fr)',
      cell: (line) => <What line={line} />,
    },
    {
      id: 'phase',
      header: words.phase,
      width: '160px',
      priority: 1,
      isPlain: true,
      cell: (line) => <Phase line={line} />,
    },
    {
      id: 'until',
      header: words.duration,
      width: '220px',
      priority: 1,
      isPlain: true,
      sortValue: ({ untilMs }) => untilMs,
      cell: (line) => <Duration line={line} />,
    },
    {
      id: 'source',
      header: words.source,
      width: '96px',
      priority: 3,
      sortValue: ({ source }) => source,
      isEmpty: ({ source }) => isEditable({ source }),
      cell: ({ source }) => source ?? ui.nothing,
    },
    {
      id: 'description',
      header: words.reason,
      sortValue: ({ description }) => description,
      cell: ({ description }) => description ?? ui.nothing,
    },
    {
      id: 'created_by',
      header: words.createdBy,
      priority: 3,
      isEmpty: ({ createdBy }) => createdBy === null,
      cell: ({ createdBy }) => <Author id={createdBy} />,
    },
    ...(onRemove === null
      ? []
      : [
          {
            id: 'remove',
            header: words.remove,
            width: '72px',
            priority: 3 as const,
            isPlain: true as const,
            isEmpty: ({ source }: SilenceLine) => !isEditable({ source }),
            cell: ({ id, source }: SilenceLine) =>
              isEditable({ source }) && (
                <IconButton label={words.remove} onClick={() => onRemove(id)}>
                  <IconTrash size={16} />
                </IconButton>
              ),
          },
        ]),
  ];
}
