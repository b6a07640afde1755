import { useRelated } from '../../data/use-check-answers.ts';
import { KeptNote } from '../../ui/KeptNote.tsx';
import { Page } from '../../ui/Page.tsx';
import { RelatedFacts } from '../../ui/RelatedFacts.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StateNote } from '../../ui/StateNote.tsx';
import { messages } from './messages.ts';

/** A config item that a check is linked to: the facts that this device has of it. */
export function ConfigPage({ configId }: { configId: string }) {
  const { kept, error } = useRelated('config', configId);
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
