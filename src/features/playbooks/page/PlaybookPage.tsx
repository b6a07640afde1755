/** A playbook to read, with or without a network: what it does, what it asks for, and what it did last. */
import { IconHistory, IconPlayerPlay } from '@tabler/icons-react';
import { Suspense } from 'react';
import type { CollectionRow } from '../../../contract/queries/live-row-schemas.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { links } from '../../../domain/links.ts';
import { parameterLabel } from '../../../domain/playbook/parameters.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../../ui/actions/Button.tsx';
import { CodeView } from '../../../ui/code/lazy-code.tsx';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { Age } from '../../../ui/marks/Age.tsx';
import { RunStatus } from '../../../ui/marks/RunStatus.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { ThingIcon } from '../../../ui/marks/ThingIcon.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Facts, Page, PageBar, PageCode } from '../../../ui/page/Page.tsx';
import { usePlaybooks } from '../../../ui/page/Playbooks.tsx';
import { definitionOf, type Definition } from '../definition.ts';
import { messages } from '../messages.ts';
import { playbookTitle } from '../playbook-title.ts';
import classes from './page.module.css';

const words = messages.page;
const LAST_RUNS = 10;

function Missing() {
  return (
    <StateNote
      title={messages.gone}
      level={1}
      role="alert"
      actions={<AppLink href={links.playbooks()}>{messages.toList}</AppLink>}
    >
      <p>{messages.goneHint}</p>
    </StateNote>
  );
}

function targetsText({ targets }: Definition): string {
  if (targets.length === 0) return words.anything;
  return targets.map(({ kind }) => words.kinds[`${kind}s`]).join(', ');
}

function Parameters({ definition: { parameters } }: { definition: Definition }) {
  if (parameters.length === 0) return <p className={classes.none}>{words.noParameters}</p>;
  return (
    <ul className={classes.list} aria-label={words.parameters}>
      {parameters.map((parameter) => (
        <li key={parameter.name}>
          {parameter.icon?.trim() && (
            <span className={classes.icon}>
              <ThingIcon icon={parameter.icon} type={null} size={15} />
            </span>
          )}
          <strong>{parameterLabel(parameter)}</strong> <Tag value={parameter.type ?? 'text'} />{' '}
          <span className={classes.aside}>
            {[
              parameter.required === true ? words.required : '',
              typeof parameter.default === 'string' && parameter.default !== ''
                ? words.default(parameter.default)
                : '',
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
          {(parameter.description ?? '') !== '' && <p>{parameter.description}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The newest first, each with what it wrote behind its link. */
function LastRuns({ playbookId }: { playbookId: string }) {
  const { rows, isLoaded } = useLiveQuery({
    collection: 'playbook_runs',
    where: [{ field: 'playbook_id', op: 'eq', value: playbookId }],
    search: '',
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: 0, end: LAST_RUNS },
  });
  if (isLoaded && rows.length === 0) return <p className={classes.none}>{words.noRuns}</p>;
  return (
    <ul className={classes.list} aria-label={words.runs}>
      {rows.map(({ id, row }) => (
        <li key={id} className={classes.run}>
          <AppLink href={links.playbookRun(id)}>
            <RunStatus status={row.status} />
          </AppLink>
          <Age at={row.start_time ?? row.created_at} suffix=" ago" />
          {/* Of one that could not begin: a trigger that fails is seen nowhere else. */}
          {(row.error ?? '') !== '' && <p className={classes.failure}>{row.error}</p>}
        </li>
      ))}
    </ul>
  );
}

function Known({ row }: { row: CollectionRow<'playbooks'> }) {
  const { run } = usePlaybooks();
  const definition = definitionOf(row);
  const text = definition.spec === null ? null : yamlText(definition.spec);
  const facts = [
    { name: words.category, value: row.category || ui.nothing },
    { name: words.appliesTo, value: definition.spec === null ? ui.nothing : targetsText(definition) },
    { name: words.source, value: row.source ?? ui.nothing },
    { name: words.updated, value: <Age at={row.updated_at} suffix=" ago" /> },
  ];
  return (
    <Page title={playbookTitle(row)} lead={row.description ?? undefined}>
      <PageBar>
        <span>{definition.isDangerous && <Tag value={messages.dangerous} isWarning />}</span>
        <span className={classes.tools}>
          <AppLink href={links.playbookRuns(row.id)} className={buttonClass('outline')}>
            <IconHistory size={15} aria-hidden />
            {messages.history}
          </AppLink>
          {run !== null && (
            <Button look="primary" onClick={() => run({ playbookId: row.id })}>
              <IconPlayerPlay size={15} aria-hidden />
              {messages.run}
            </Button>
          )}
        </span>
      </PageBar>
      <Facts facts={facts} />
      <h2>{words.parameters}</h2>
      <Parameters definition={definition} />
      <h2>{words.runs}</h2>
      <LastRuns playbookId={row.id} />
      <h2>{words.text}</h2>
      {text === null ? (
        <p className={classes.none}>{words.notKept}</p>
      ) : (
        <PageCode>
          <Suspense fallback={<pre>{text}</pre>}>
            <CodeView text={text} />
          </Suspense>
        </PageCode>
      )}
    </Page>
  );
}

/** See the head of this file. */
export function PlaybookPage({ playbookId }: { playbookId: string }) {
  const found = useLiveRow('playbooks', playbookId);
  const { firstLoad } = useSyncStatus();
  if (found === undefined || (found === null && firstLoad !== null))
    return <SkeletonRows text={messages.loading} part={firstLoad} />;
  return found === null ? <Missing /> : <Known row={found.row} />;
}
