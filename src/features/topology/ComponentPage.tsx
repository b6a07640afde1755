import { useQuery } from '../../data/queries/use-query.ts';
import { draftOfComponent } from '../../domain/incident/evidence-snapshot.ts';
import { AttachButton } from '../../ui/page/AttachEvidence.tsx';
import { CacheNote } from '../../ui/feedback/CacheNote.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { RelatedFacts } from '../../ui/page/RelatedFacts.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { useIncidentsAbout } from '../../data/queries/use-incidents-about.ts';
import { IncidentLinks } from '../../ui/page/IncidentLinks.tsx';
import { links } from '../../domain/links.ts';
import { messages } from './messages.ts';

/** Incidents that have this component for evidence. */
function ComponentIncidents({ componentId }: { componentId: string }) {
  const incidents = useIncidentsAbout('component_id', componentId);
  return <IncidentLinks incidents={incidents} allHref={links.componentIncidents(componentId)} />;
}

/** A component that a check is linked to: the facts that this device has of it. */
export function ComponentPage({ componentId }: { componentId: string }) {
  const { kept, error } = useQuery('related-item', { kind: 'component', id: componentId });
  if (kept !== null) {
    const note = (
      <>
        <CacheNote {...kept} />
        <AttachButton draft={() => draftOfComponent({ ...kept.value, id: componentId })} />
      </>
    );
    return (
      <RelatedFacts item={kept.value} kind={messages.kind} note={note}>
        <ComponentIncidents componentId={componentId} />
      </RelatedFacts>
    );
  }
  return (
    <Page title={messages.kind}>
      {error === null ? (
        <SkeletonRows text={messages.loading} />
      ) : (
        <StateNote title={messages.failed}>
          <p>{messages.errorText(error)}</p>
        </StateNote>
      )}
    </Page>
  );
}
