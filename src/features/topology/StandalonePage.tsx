/** A component on a page of its own, for another screen or frame (spec 2 §2): its card, and its parts below. */
import { useCallback } from 'react';
import type { ComponentFacts } from '../../contract/topology-view.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { useComponent } from '../../data/queries/use-component.ts';
import { links } from '../../domain/links.ts';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { CardGrid } from './cards/CardGrid.tsx';
import { ComponentCard } from './cards/ComponentCard.tsx';
import { messages } from './messages.ts';
import classes from './standalone.module.css';
import { useCards } from './use-cards.ts';

const words = messages.standalone;

function Loaded({ component }: { component: ComponentFacts }) {
  const { view, width, query } = useCards(component.id);
  const hrefOf = useCallback((id: string) => links.standaloneComponent(id), []);
  return (
    <main className={classes.page}>
      <h1 className="visually-hidden">{component.name}</h1>
      <div className={classes.own}>
        <ComponentCard card={component} size="extra_large" hrefOf={hrefOf} />
      </div>
      {component.childCount > 0 && (
        <CardGrid view={view} width={width} question={JSON.stringify(query)} hrefOf={hrefOf} />
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
