/** Panels that list what hangs on a component: changes, checks, runs, teams, insights. */
import { useCheck } from '../../../data/queries/use-check.ts';
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
import { PanelList } from './PanelList.tsx';
import { PANEL_ROWS } from './panels.ts';
import { isOneOf, usePanelRows } from './use-panel-rows.ts';

interface PanelProps {
  component: ComponentFacts;
}

/** Spec 2 §9. */
const MESSAGE_CHARS = 500;

/** Changes of the items that are linked to it. */
export function ChangesPanel({ component }: PanelProps) {
  const { rows, total } = usePanelRows('config_changes', isOneOf('config_id', component.configIds), {
    newestBy: 'created_at',
  });
  const items = usePanelRows('configs', isOneOf('id', component.configIds));
  const names = new Map(items.rows.map(({ id, row }) => [id, row.name ?? id]));
  return (
    <PanelList
      label={messages.panels.changes}
      rows={rows}
      total={total}
      empty={messages.empty.changes}
      line={({ id, row }) => (
        <>
          <AppLink href={links.configChange(row.config_id, id)} title={row.summary ?? ''}>
            {row.change_type ?? messages.panels.changes}
          </AppLink>
          <span className={classes.end}>
            <Age at={row.created_at} />
          </span>
          <span className={classes.sub}>
            {[names.get(row.config_id) ?? row.config_id, row.summary].filter(Boolean).join(' · ')}
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
      rows={ids.slice(0, PANEL_ROWS).map((id) => ({ id }))}
      total={ids.length}
      empty={messages.empty.checks}
      line={({ id }) => <CheckLine id={id} />}
    />
  );
}

/** Runs of the last seven days. */
export function RunsPanel({ component }: PanelProps) {
  const { rows, total } = usePanelRows(
    'playbook_runs',
    [{ field: 'component_id', op: 'eq', value: component.id }],
    { newestBy: 'created_at' },
  );
  const titles = usePanelRows(
    'playbooks',
    isOneOf('id', [...new Set(rows.map(({ row }) => row.playbook_id))]),
  );
  const titleOf = new Map(titles.rows.map(({ id, row }) => [id, row.title ?? row.name ?? id]));
  return (
    <PanelList
      label={messages.panels.runs}
      rows={rows}
      total={total}
      empty={messages.empty.runs}
      line={({ row }) => (
        <>
          <AppLink href={links.playbookRun(row.id)}>
            {titleOf.get(row.playbook_id) ?? row.playbook_id}
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
      rows={component.teams.map((name) => ({ id: name }))}
      total={component.teams.length}
      empty={messages.empty.teams}
      line={({ id: name }) => {
        const id = known.get(name);
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
      }}
    />
  );
}

/** Open insights about the items that are linked to it. */
export function InsightsPanel({ component }: PanelProps) {
  const { rows, total } = usePanelRows('config_insights', isOneOf('config_id', component.configIds), {
    newestBy: 'first_observed',
  });
  return (
    <>
      <PanelList
        label={messages.panels.insights}
        rows={rows}
        total={total}
        empty={messages.empty.insights}
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
