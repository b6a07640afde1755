import { Suspense, useMemo } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import type { CanaryDetail } from '../../contract/http/canary.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useFailedCanaries } from '../../data/queries/health/use-failed-canaries.ts';
import { links } from '../../domain/links.ts';
import { RESOURCES } from '../../domain/settings/resource-kinds.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { CodeView } from '../../ui/code/lazy-code.tsx';
import { CopyButton } from '../../ui/feedback/CopyButton.tsx';
import { HealthLabel } from '../../ui/marks/HealthMark.tsx';
import { CacheNote } from '../../ui/feedback/CacheNote.tsx';
import { Facts, Page, PageBar, PageCode } from '../../ui/page/Page.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { Tag } from '../../ui/marks/Tag.tsx';
import { yamlText } from '../../ui/code/yaml-text.ts';
import { messages } from './messages.ts';
import { NotRunChecks } from './resources/NotRunChecks.tsx';
import classes from './settings.module.css';

function CanaryFacts({ canary, error }: { canary: CanaryDetail; error: string | null }) {
  const labels = Object.entries(canary.labels);
  const facts = [
    { name: messages.namespace, value: canary.namespace || '–' },
    { name: messages.source, value: canary.source ?? messages.noSource },
    ...(labels.length === 0
      ? []
      : [
          {
            name: messages.labels,
            value: (
              <span className={classes.together}>
                {labels.map(([key, value]) => (
                  <Tag key={key} name={key} value={value} />
                ))}
              </span>
            ),
          },
        ]),
    { name: messages.id, value: canary.id },
    {
      name: messages.checks,
      value: <AppLink href={links.canaryChecks(canary.name)}>{messages.showChecks}</AppLink>,
    },
  ];
  const broken = {
    name: messages.error,
    value: <HealthLabel state="warning" text={`${messages.broken}: ${error ?? ''}`} />,
  };
  return <Facts facts={error === null ? facts : [broken, ...facts]} />;
}

/** `reason` is what the server said of this canary when it read them all. */
function NotRead({ error, reason }: { error: ErrorFacts; reason: string | null }) {
  if (error.code !== 'not_found' || reason !== null)
    return (
      <StateNote title={messages.failed} role="alert">
        <p>{reason ?? messages.errorText(error)}</p>
      </StateNote>
    );
  return (
    <StateNote
      title={messages.gone}
      role="alert"
      actions={<AppLink href={links.canaries()}>{RESOURCES.canaries.title}</AppLink>}
    >
      <p>{messages.goneHint}</p>
    </StateNote>
  );
}

/** A canary as it is: where it comes from, what it says, and what is wrong with it. */
export function CanaryPage({ canaryId }: { canaryId: string }) {
  const { kept, error } = useQuery('canary-detail', { canaryId });
  const failure = useFailedCanaries().canaries.find((canary) => canary.id === canaryId);
  const text = useMemo(() => yamlText(kept?.value.spec), [kept]);
  if (kept === null) {
    return (
      <Page title={failure?.name ?? messages.lead}>
        {error === null && <SkeletonRows text={messages.loading} />}
        {error !== null && <NotRead error={error} reason={failure?.error ?? null} />}
      </Page>
    );
  }
  return (
    <Page title={kept.value.name} lead={messages.lead}>
      <CacheNote {...kept} />
      <CanaryFacts canary={kept.value} error={failure?.error ?? null} />
      <NotRunChecks canaryId={canaryId} />
      {text !== '' && (
        <>
          <PageBar>
            <h2>{messages.spec}</h2>
            <span className={classes.together}>
              <AppLink href={`${links.canarySettings(canaryId)}/edit`}>{messages.edit}</AppLink>
              <CopyButton text={text} />
            </span>
          </PageBar>
          <PageCode>
            <Suspense fallback={<pre>{text}</pre>}>
              <CodeView text={text} />
            </Suspense>
          </PageCode>
        </>
      )}
    </Page>
  );
}
