/** All that is known of a component, in panels of which one is open at a time (spec 2 §2). */
import { formatCount } from '../../../domain/format-count.ts';
import type { ReactNode } from 'react';
import { useIncidentsWith } from '../../../data/queries/incidents/use-incidents-with.ts';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { useAttachEvidence } from '../../../ui/page/AttachEvidence.tsx';
import { FoldingSection } from '../../../ui/page/FoldingSection.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { componentSearch } from '../search-schemas.ts';
import { CatalogPanel } from './CatalogPanel.tsx';
import classes from './component.module.css';
import { DetailsPanel } from './DetailsPanel.tsx';
import { IncidentsPanel } from './IncidentsPanel.tsx';
import { ChangesPanel, ChecksPanel, InsightsPanel, RunsPanel, TeamsPanel } from './list-panels.tsx';
import { messages } from './messages.ts';
import { PANELS, type Panel } from './panels.ts';
import { isOneOf, usePanelRows } from './use-panel-rows.ts';

const COUNT_ONLY = { rows: 0 };
const NOT_OVER = ['new', 'open', 'investigating', 'mitigated'];

/** How much is in each panel; the details have no number. */
function useCounts(component: ComponentFacts): Record<Exclude<Panel, 'details'>, number> {
  const { id, configIds, checkIds, teams } = component;
  const { ids: incidentIds } = useIncidentsWith([id]);
  const about = isOneOf('config_id', configIds);
  const incidents = usePanelRows(
    'incidents',
    [...isOneOf('id', incidentIds), ...isOneOf('status', NOT_OVER)],
    COUNT_ONLY,
  );
  const changes = usePanelRows('config_changes', about, COUNT_ONLY);
  const insights = usePanelRows('config_insights', about, COUNT_ONLY);
  const runs = usePanelRows('playbook_runs', [{ field: 'component_id', op: 'eq', value: id }], COUNT_ONLY);
  return {
    catalog: configIds.length,
    incidents: incidents.total,
    changes: changes.total,
    checks: checkIds.length,
    runs: runs.total,
    teams: teams.length,
    insights: insights.total,
  };
}

function contentOf(panel: Panel, component: ComponentFacts): ReactNode {
  switch (panel) {
    case 'details':
      return <DetailsPanel component={component} />;
    case 'catalog':
      return <CatalogPanel component={component} />;
    case 'incidents':
      return <IncidentsPanel componentId={component.id} />;
    case 'changes':
      return <ChangesPanel component={component} />;
    case 'checks':
      return <ChecksPanel component={component} />;
    case 'runs':
      return <RunsPanel component={component} />;
    case 'teams':
      return <TeamsPanel component={component} />;
    case 'insights':
      return <InsightsPanel component={component} />;
  }
}

/** Which panel is open stands in the address. */
export function ComponentSidebar({ component }: { component: ComponentFacts }) {
  const { hasIncidents } = useAttachEvidence();
  const [{ panel = 'details' }, change] = useSearchState(componentSearch);
  const counts = useCounts(component);
  const shown = PANELS.filter((one) => one !== 'incidents' || hasIncidents);
  return (
    <>
      {shown.map((one) => (
        <FoldingSection
          key={one}
          text={messages.panels[one]}
          badge={one !== 'details' && <span className={classes.count}>{formatCount(counts[one])}</span>}
          isOpen={panel === one}
          onToggle={() => change({ panel: panel === one ? 'none' : one === 'details' ? undefined : one })}
        >
          {contentOf(one, component)}
        </FoldingSection>
      ))}
    </>
  );
}
