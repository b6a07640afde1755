/** A component on a page of its own, for another screen or frame (spec 2 §2): its card, and its parts below. */
import type { ComponentFacts } from '../../contract/topology-view.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { useComponent } from '../../data/queries/topology/use-component.ts';
import { links } from '../../domain/links.ts';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { PHONE, useMedia } from '../../ui/hooks/use-media.ts';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { CardGrid } from './cards/CardGrid.tsx';
import { ComponentCard } from './cards/ComponentCard.tsx';
import { messages } from './messages.ts';
import classes from './standalone.module.css';
import { useCards } from './use-cards.ts';

const words = messages.standalone;

function Loaded({ component }: { component: ComponentFacts }) {
  const size = useMedia(PHONE) ? 'large' : 'extra_large';
  const { view, width, query, hrefOf } = useCards(component.id, links.standaloneComponent);
  const own = (
    <div className={classes.own}>
      <ComponentCard card={component} size={size} hrefOf={hrefOf} />
    </div>
  );
  return (
    <main className={classes.page}>
      <h1 className="visually-hidden">{component.name}</h1>
      {component.childCount === 0 ? (
        <div className={classes.alone}>{own}</div>
      ) : (
        <CardGrid
          view={view}
          width={width}
          question={JSON.stringify(query)}
          hrefOf={hrefOf}
          above={own}
          isReadOnly
        />
      )}
    </main>
  );
}

/** See the head of this file. */
export function StandalonePage({ componentId }: { componentId: string }) {
  const { isLoaded, component } = useComponent(componentId);
  const { firstLoad } = useSyncStatus();
  if (component !== null) return <Loaded key={component.id} component={component} />;
  return (
    <main className={classes.page}>
      {isLoaded && firstLoad === null ? (
        <StateNote title={words.notFound} level={1} role="alert" />
      ) : (
        <SkeletonRows text={messages.loading} part={firstLoad} />
      )}
    </main>
  );
}
