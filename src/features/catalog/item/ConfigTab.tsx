/** The item's configuration as it was scraped: fetched when it is looked at, and kept (spec 2 §2). */
import { IconDownload } from '@tabler/icons-react';
import { Suspense } from 'react';
import type { WrittenDocument } from '../../../contract/written-document.ts';
import { useWrittenDocument } from '../../../data/queries/catalog/use-catalog.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { lazyPart } from '../../../ui/page/lazy-part.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { configSearch } from '../search-schemas.ts';
import { downloadAddress, fileName } from './download.ts';
import classes from './item.module.css';
import { useItem } from './item-context.tsx';
import { messages } from './messages.ts';

const words = messages.document;
const DocumentView = lazyPart(async () => (await import('./DocumentView.tsx')).DocumentView);

const FORMS = (['yaml', 'json'] as const).map((value) => ({ value, label: words.forms[value] }));
type Form = (typeof FORMS)[number]['value'];
const FORM_KEY = 'catalogDocumentForm';

function Download({ name, document }: { name: string; document: WrittenDocument }) {
  const file = fileName(name, document);
  return (
    <Button
      onClick={() => {
        const { address, release } = downloadAddress(document.text);
        const link = window.document.createElement('a');
        link.href = address;
        link.download = file;
        link.click();
        release();
      }}
    >
      <IconDownload size={15} aria-hidden />
      {words.download}
    </Button>
  );
}

function useForm(): [Form, (form: Form) => void] {
  const [search, change] = useSearchState(configSearch);
  const device = useDevice();
  const asked = search.format ?? device.readSetting(FORM_KEY);
  return [
    asked === 'json' ? 'json' : 'yaml',
    (form) => {
      device.writeSetting(FORM_KEY, form);
      change({ format: form });
    },
  ];
}

/** Inside an `ItemPage`. */
export function ConfigTab() {
  const { facts, detail } = useItem();
  const [form, setForm] = useForm();
  const { kept, error } = detail;
  const { document, error: failure } = useWrittenDocument(kept?.value.config ?? null, form);
  if (kept === null) {
    if (error === null) return <SkeletonRows text={words.loading} />;
    const isAway = error.code === 'network' || error.code === 'timeout';
    return (
      <StateNote title={words.failed} role="alert">
        <p>{isAway ? words.offline : messages.errorText(error)}</p>
      </StateNote>
    );
  }
  if (kept.value.config === null) return <p className={classes.empty}>{words.none}</p>;
  if (failure !== null) return <p role="alert">{messages.errorText(failure)}</p>;
  if (document === null) return <SkeletonRows text={words.writing} />;
  const tools = (
    <>
      {document.form === 'text' ? (
        <span className={classes.format}>{document.format}</span>
      ) : (
        <Segmented label={words.form} value={form} options={FORMS} onChange={setForm} />
      )}
      <CopyButton text={document.text} />
      <Download name={facts.name ?? facts.id} document={document} />
      <CacheNote {...kept} />
    </>
  );
  return (
    <Suspense fallback={<SkeletonRows text={words.loading} />}>
      <DocumentView label={words.label} document={document} tools={tools} />
    </Suspense>
  );
}
