/**
 * Adds a check where checks are (spec 2 §2): what kind it is, what is to be checked, Try now, Save. Afterwards the
 * health page shows it, whether it passes or not.
 */
import { useMemo, useState } from 'react';
import { useQuery } from '../../../data/queries/use-query.ts';
import { links } from '../../../domain/links.ts';
import { RESOURCES } from '../../../domain/settings/resource-kinds.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { newEntryText } from '../../../ui/document/DocumentForm.tsx';
import {
  entryKinds,
  offeredKinds,
  readDocumentSchema,
  type EntryKind,
} from '../../../ui/document/schema-fields.ts';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { Page } from '../../../ui/page/Page.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { ResourceForm } from '../resources/ResourceForm.tsx';
import { addCheckSearch } from '../search-schemas.ts';
import classes from './checks.module.css';
import { messages } from './messages.ts';

const EVERY_MINUTE = 'schedule: "@every 1m"\n';

/** The kinds of checks, as the server or this device has them; undefined until they are known. */
function useKinds(): { kinds: readonly EntryKind[] | undefined; isMissing: boolean } {
  const { kept, error } = useQuery('spec-schema', { file: RESOURCES.canaries.schema ?? '' });
  const schema = kept?.value;
  const kinds = useMemo(() => {
    const read = schema === undefined ? null : readDocumentSchema(schema);
    return read === null ? undefined : offeredKinds(entryKinds(read));
  }, [schema]);
  return { kinds, isMissing: kinds === undefined && error !== null };
}

function Kinds({ kinds }: { kinds: readonly EntryKind[] }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const shown = kinds.filter(({ key, title }) => `${title} ${key}`.toLowerCase().includes(wanted));
  return (
    <>
      <SearchBox
        label={messages.search}
        placeholder={messages.search}
        clearLabel={messages.clearSearch}
        seed=""
        seedId={0}
        onChange={setText}
      />
      {shown.length === 0 && <p role="status">{messages.noMatch}</p>}
      <ul className={classes.tiles} aria-label={messages.kinds}>
        {shown.map(({ key, title }) => (
          <li key={key}>
            <AppLink href={links.addCheck(key)} className={classes.tile ?? ''}>
              {title}
            </AppLink>
          </li>
        ))}
      </ul>
      <p>
        <AppLink href={links.importChecks()}>{messages.toImport}</AppLink>
      </p>
    </>
  );
}

function NewCheck({ kind, userId }: { kind: EntryKind; userId: string }) {
  const device = useDevice();
  const spec = useMemo(() => newEntryText(EVERY_MINUTE, kind, ''), [kind]);
  return (
    <div className={classes.form}>
      <p>
        <AppLink href={links.addCheck()}>{messages.otherKind}</AppLink>
      </p>
      <ResourceForm
        kind="canaries"
        row={null}
        start={{ spec }}
        userId={userId}
        readOnly={null}
        onDone={(name) => device.navigate(links.canaryChecks(name))}
        onCancel={() => device.navigate(links.health())}
      />
    </div>
  );
}

/** See the head of this file. */
export function AddCheckPage({ reader, mayAdd }: { reader: { id: string }; mayAdd: boolean }) {
  const [search] = useSearchState(addCheckSearch);
  const { kinds, isMissing } = useKinds();
  const kind = kinds?.find(({ key }) => key === search.kind);
  if (!mayAdd)
    return (
      <Page title={messages.title}>
        <p>{messages.mayNot}</p>
      </Page>
    );
  return (
    <Page
      title={kind === undefined ? messages.title : messages.addTitle(kind.title)}
      lead={kind === undefined ? messages.lead : ''}
    >
      {isMissing && <StateNote title={messages.missing} role="alert" />}
      {kinds === undefined && !isMissing && <SkeletonRows text={messages.loading} />}
      {kinds !== undefined && kind === undefined && search.kind !== undefined && (
        <p role="alert">{messages.unknown}</p>
      )}
      {kinds !== undefined && kind === undefined && <Kinds kinds={kinds} />}
      {kind !== undefined && <NewCheck key={kind.key} kind={kind} userId={reader.id} />}
    </Page>
  );
}
