import { useRelated } from '../../data/use-check-answers.ts';
import { KeptNote } from '../../ui/KeptNote.tsx';
import { Page } from '../../ui/Page.tsx';
import { RelatedFacts } from '../../ui/RelatedFacts.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StateNote } from '../../ui/StateNote.tsx';
import { messages } from './messages.ts';

/** A component that a check is linked to: the facts that this device has of it. */
export function ComponentPage({ componentId }: { componentId: string }) {
  const { kept, error } = useRelated('component', componentId);
  if (kept !== null)
    return <RelatedFacts item={kept.value} kind={messages.kind} note={<KeptNote {...kept} />} />;
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
