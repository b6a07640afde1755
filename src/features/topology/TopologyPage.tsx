/** The top of the topology as cards (spec 2 §2 'Topology'), from this device; search and types look at every component. */
import { IconSitemap } from '@tabler/icons-react';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { buttonClass } from '../../ui/actions/Button.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { ROOMY, useMedia } from '../../ui/hooks/use-media.ts';
import { HealthBar } from '../../ui/marks/HealthBar.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { TopologyCards } from './TopologyCards.tsx';
import { useCards } from './use-cards.ts';
import { ViewSwitch } from './ViewSwitch.tsx';
import { topologySearch } from './search-schemas.ts';
import { useSearchState } from '../../ui/search/use-search-state.ts';

const words = messages.empty;
const VIEWS = ['cards', 'outline'] as const;

function Empty() {
  return (
    <StateNote
      title={words.title}
      icon={<IconSitemap size={32} stroke={1.3} />}
      actions={
        <AppLink href={links.health()} className={buttonClass('outline')}>
          {words.toHealth}
        </AppLink>
      }
    >
      <p>{words.hint}</p>
    </StateNote>
  );
}

/** Filters and order are in the link, the size of the cards on the device. */
export function TopologyPage() {
  const cards = useCards(null);
  const isRoomy = useMedia(ROOMY);
  const [{ view = 'cards' }, change] = useSearchState(topologySearch);
  const { frame } = cards.view;
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1>{messages.title}</h1>
        <span role="status" className={classes.lead}>
          {frame.isLoaded && frame.totalCount > 0 && (
            <>
              {messages.total(frame.rowCount, frame.totalCount)}
              <HealthBar counts={frame.health} hasBar={false} words={messages.health} />
            </>
          )}
        </span>
        <span className={classes.spacer} />
        <ViewSwitch
          views={VIEWS}
          value={view}
          onChange={(next) => change({ view: next === 'cards' ? undefined : next }, { isReplacing: false })}
        />
      </header>
      <TopologyCards cards={cards} hasRoom={isRoomy} empty={<Empty />} view={view} />
    </div>
  );
}
