/** Panels that list what hangs on a component: changes, checks, runs, teams, insights. */
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { AnalysisIcon } from '../../../ui/marks/AnalysisIcon.tsx';
import { Avatar } from '../../../ui/marks/Avatar.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { RunStatus } from '../../../ui/marks/RunStatus.tsx';
import { TypeIcon } from '../../../ui/marks/TypeIcon.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import classes from './component.module.css';
import { messages } from './messages.ts';
import { PanelList, PanelRow } from './PanelList.tsx';
import { PanelRows } from './PanelRows.tsx';
import { PANEL_ROWS } from './panels.ts';
import { isOneOf, usePanelRows } from './use-panel-rows.ts';

interface PanelProps {
  component: ComponentFacts;
}

/** Spec 2 §9. */
const MESSAGE_CHARS = 500;

/** An item by its name, as this device has it. */
function ItemName({ id }: { id: string }) {
  const known = useLiveRow('configs', id);
  return known?.row.name ?? id;
}

/** Changes of the items that are linked to it. */
export function ChangesPanel({ component }: PanelProps) {
  return (
    <PanelRows
      label={messages.panels.changes}
      empty={messages.empty.changes}
      collection="config_changes"
      where={isOneOf('config_id', component.configIds)}
      newestBy="created_at"
      line={({ id, row }) => (
        <>
          <AppLink href={links.configChange(row.config_id, id)} title={row.summary ?? ''}>
            {row.change_type ?? messages.panels.changes}
          </AppLink>
          <span className={classes.end}>
            <Age at={row.created_at} />
          </span>
          <span className={classes.sub}>
            <ItemName id={row.config_id} />
            {(row.summary ?? '') !== '' && ` · ${row.summary}`}
          </span>
        </>
      )}
    />
  );
}

function CheckLine({ id }: { id: string }) {
  const view = useCheck(id);
  if (view === undefined) return <span className={classes.name}>{ui.loading}</span>;
  if (view === null) return <span className={classes.name}>{messages.notHere}</span>;
  const { check, health } = view;
  return (
    <>
      <span className={classes.mark} title={check.type}>
        <TypeIcon type={check.type} />
      </span>
      <AppLink href={links.check(id)} title={check.name}>
        {check.name}
      </AppLink>
      <SilencedMark kind="check" id={id} />
      <span className={classes.end}>
        <HealthMark state={health.state} />
        {ui.health[health.state]}
      </span>
    </>
  );
}

/** How each is now. */
export function ChecksPanel({ component }: PanelProps) {
  const ids = component.checkIds;
  return (
    <PanelList
      label={messages.panels.checks}
      total={ids.length}
      empty={messages.empty.checks}
      page={(page) =>
        ids.slice(page * PANEL_ROWS, (page + 1) * PANEL_ROWS).map((id) => (
          <PanelRow key={id}>
            <CheckLine id={id} />
          </PanelRow>
        ))
      }
    />
  );
}

/** A playbook by its title, as this device has it. */
function PlaybookTitle({ id }: { id: string }) {
  const known = useLiveRow('playbooks', id);
  return known?.row.title ?? known?.row.name ?? id;
}

/** Runs of the last seven days. */
export function RunsPanel({ component }: PanelProps) {
  return (
    <PanelRows
      label={messages.panels.runs}
      empty={messages.empty.runs}
      collection="playbook_runs"
      where={[{ field: 'component_id', op: 'eq', value: component.id }]}
      newestBy="created_at"
      line={({ row }) => (
        <>
          <AppLink href={links.playbookRun(row.id)}>
            <PlaybookTitle id={row.playbook_id} />
          </AppLink>
          <span className={classes.end}>
            <Age at={row.start_time ?? row.created_at} />
          </span>
          <span className={classes.sub}>
            <RunStatus status={row.status} />
          </span>
        </>
      )}
    />
  );
}

function TeamLine({ name, id }: { name: string; id: string | undefined }) {
  return (
    <>
      <span className={classes.mark}>
        <Avatar name={name} />
      </span>
      {id === undefined ? (
        <span className={classes.name}>{name}</span>
      ) : (
        <AppLink href={links.resource('teams', id)}>{name}</AppLink>
      )}
    </>
  );
}

/** Who owns it. */
export function TeamsPanel({ component }: PanelProps) {
  const { rows } = usePanelRows('resources', [
    { field: 'kind', op: 'eq', value: 'team' },
    ...isOneOf('name', component.teams),
  ]);
  const known = new Map(rows.map(({ id, row }) => [row.name, id]));
  return (
    <PanelList
      label={messages.panels.teams}
      total={component.teams.length}
      empty={messages.empty.teams}
      page={(page) =>
        component.teams.slice(page * PANEL_ROWS, (page + 1) * PANEL_ROWS).map((name) => (
          <PanelRow key={name}>
            <TeamLine name={name} id={known.get(name)} />
          </PanelRow>
        ))
      }
    />
  );
}

/** Open insights about the items that are linked to it. */
export function InsightsPanel({ component }: PanelProps) {
  const about = isOneOf('config_id', component.configIds);
  const { total } = usePanelRows('config_insights', about, { rows: 0 });
  return (
    <>
      <PanelRows
        label={messages.panels.insights}
        empty={messages.empty.insights}
        collection="config_insights"
        where={about}
        newestBy="first_observed"
        line={({ id, row }) => {
          const text = (row.summary ?? row.message ?? row.analyzer ?? id).slice(0, MESSAGE_CHARS);
          return (
            <>
              <span className={classes.mark} title={row.analysis_type ?? ''}>
                <AnalysisIcon type={row.analysis_type ?? ''} />
              </span>
              <AppLink href={links.configInsight(row.config_id ?? '', id)} title={text}>
                {text}
              </AppLink>
              <span className={classes.end}>
                <Age at={row.first_observed} />
              </span>
              <span className={classes.sub}>{[row.severity, row.analyzer].filter(Boolean).join(' · ')}</span>
            </>
          );
        }}
      />
      {total > 0 && (
        <AppLink href={links.componentInsights(component.id)} className={classes.note}>
          {messages.allInsights}
        </AppLink>
      )}
    </>
  );
}
