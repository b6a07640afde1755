/** A component's page (spec 2 §2): its path, its parts as cards, and all that is known of it at the side. */
import { IconLayoutSidebarRight } from '@tabler/icons-react';
import type { ComponentFacts } from '../../../contract/topology-view.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { useComponent } from '../../../data/queries/topology/use-component.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { ROOMY, useMedia } from '../../../ui/hooks/use-media.ts';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { useSidebar } from '../../../ui/page/use-sidebar.ts';
import { messages } from '../messages.ts';
import { componentSearch } from '../search-schemas.ts';
import { TopologyCards } from '../TopologyCards.tsx';
import { useCards } from '../use-cards.ts';
import classes from './component.module.css';
import { ComponentActions } from './ComponentActions.tsx';
import { ComponentPath } from './ComponentPath.tsx';
import { ComponentSidebar } from './ComponentSidebar.tsx';
import { messages as words } from './messages.ts';
import { Metrics } from '../cards/Metrics.tsx';
import { GraphView } from '../graph/GraphView.tsx';
import { ViewSwitch, type View } from '../ViewSwitch.tsx';

/** Room for all filters beside the sidebar. */
const SPACIOUS = '(min-width: 1704px)';
const VIEWS = ['cards', 'graph', 'outline'] as const;
const SIDEBAR_KEY = 'topologyDetailsHidden';

function NotFound() {
  return (
    <StateNote
      title={words.notFound.title}
      level={1}
      role="alert"
      actions={<AppLink href={links.topology()}>{words.notFound.toTopology}</AppLink>}
    >
      <p>{words.notFound.hint}</p>
    </StateNote>
  );
}

interface PartsProps {
  component: ComponentFacts;
  cards: ReturnType<typeof useCards>;
  hasRoom: boolean;
  view: View;
}

/** What it consists of: as cards, as a graph, or as a tree. */
function Parts({ component, cards, hasRoom, view }: PartsProps) {
  if (view === 'graph') return <GraphView component={component} hrefOf={cards.hrefOf} />;
  return <TopologyCards cards={cards} hasRoom={hasRoom} empty={null} view={view} />;
}

/** How it is, and what it measures. */
function State({ component }: Pick<PartsProps, 'component'>) {
  const { state, status, reason, properties } = component;
  return (
    <div className={classes.state}>
      <div className={classes.stateLine}>
        <HealthLabel state={state} text={messages.health[state]} />
        {status !== null && <span className={classes.dim}>{status}</span>}
        {reason !== null && reason !== '' && <span className={classes.reason}>{reason}</span>}
      </div>
      <Metrics properties={properties.filter(({ isHeadline }) => isHeadline)} isShort={false} />
    </div>
  );
}

function Loaded({ component }: { component: ComponentFacts }) {
  const sidebar = useSidebar(SIDEBAR_KEY);
  const cards = useCards(component.id);
  const isRoomy = useMedia(ROOMY);
  const isSpacious = useMedia(SPACIOUS);
  const hasRoom = sidebar.isShown ? isSpacious : isRoomy;
  const [{ refererId = null, view = 'cards' }, change] = useSearchState(componentSearch);
  const side = <ComponentSidebar component={component} />;
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <div className={classes.head}>
          <ComponentPath component={component} refererId={refererId} />
          <span className={classes.headActions}>
            <ViewSwitch
              views={VIEWS}
              value={view}
              onChange={(next) =>
                change({ view: next === 'cards' ? undefined : next }, { isReplacing: false })
              }
            />
            <ComponentActions component={component} hasRoom={hasRoom} />
            <IconButton
              label={sidebar.isShown ? words.hideDetails : words.showDetails}
              isPressed={sidebar.isShown}
              onClick={sidebar.toggle}
            >
              <IconLayoutSidebarRight size={18} />
            </IconButton>
          </span>
        </div>
        <State component={component} />
        <Parts component={component} cards={cards} hasRoom={hasRoom} view={view} />
      </div>
      {sidebar.isShown && sidebar.isWide && (
        <aside className={classes.side} aria-label={words.details}>
          {side}
        </aside>
      )}
      {sidebar.isShown && !sidebar.isWide && (
        <Sheet label={words.details} side="right" hasTitle onClose={sidebar.toggle}>
          {side}
        </Sheet>
      )}
    </div>
  );
}

/** See the head of this file. */
export function ComponentPage({ componentId }: { componentId: string }) {
  const { isLoaded, component } = useComponent(componentId);
  const { firstLoad } = useSyncStatus();
  if (component !== null) return <Loaded key={component.id} component={component} />;
  if (isLoaded && firstLoad === null) return <NotFound />;
  return <SkeletonRows text={words.loading} part={firstLoad} />;
}
