/** One change: what happened, and what was stored of it (contract §6.1). Its body is kept once it was opened. */
import { Suspense, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { ChangeRow } from '../../../contract/http/catalog/config-changes.ts';
import type { ChangeDetail } from '../../../contract/http/catalog/config-item.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { diffCounts, parseUnifiedDiff } from '../../../domain/catalog/unified-diff.ts';
import { draftOfChange } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { AttachButton } from '../../../ui/page/AttachEvidence.tsx';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { lazyPart } from '../../../ui/page/lazy-part.tsx';
import { FilterMarks } from './CellFilters.tsx';
import classes from './changes.module.css';
import { messages } from './messages.ts';
import type { CellFilter } from './url-state.ts';

const words = messages.detail;
type View = keyof typeof words.tabs;

const diffChunk = () => import('./DiffView.tsx');
const SplitDiff = lazyPart(async () => (await diffChunk()).SplitDiff);
const UnifiedDiff = lazyPart(async () => (await diffChunk()).UnifiedDiff);
const JsonView = lazyPart(async () => (await import('../item/DocumentView.tsx')).JsonView);

/** What a list knows of a change before its body is there. */
type Known = Pick<ChangeRow, 'change_type' | 'severity' | 'source' | 'summary'> & {
  config_id: string;
  created_at: string | null;
  first_observed: string | null;
  count: number;
  created_by: string | null;
  external_created_by: string | null;
};

function Fact({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={isWide ? classes.wide : undefined}>{children}</dd>
    </>
  );
}

function ChangeFacts({ known, item }: { known: Known; item: string }) {
  const filtered = (name: CellFilter, value: string | null) => (
    <>
      <span>{value ?? ui.nothing}</span>
      <FilterMarks name={name} value={value} />
    </>
  );
  return (
    <dl className={classes.facts}>
      <Fact name={words.item} isWide>
        <AppLink href={links.config(known.config_id)}>{item}</AppLink>
      </Fact>
      {known.summary !== null && (
        <Fact name={words.summary} isWide>
          {filtered('summary', known.summary)}
        </Fact>
      )}
      <Fact name={words.severity}>{known.severity ?? ui.nothing}</Fact>
      <Fact name={words.source}>{filtered('source', known.source)}</Fact>
      <Fact name={words.seen}>
        <Age at={known.created_at} suffix={words.ago} />
        {known.count > 1 && <span className={classes.count}>{messages.times(known.count)}</span>}
      </Fact>
      <Fact name={words.createdBy}>
        {known.created_by === null
          ? filtered('external_created_by', known.external_created_by)
          : known.created_by}
      </Fact>
      {known.count > 1 && (
        <Fact name={words.first}>
          <Age at={known.first_observed} suffix={words.ago} />
        </Fact>
      )}
    </dl>
  );
}

/** Empty JSON says nothing. */
const hasContent = (json: string | null) => json !== null && !['', '{}', '[]', '""', 'null'].includes(json);

function viewsOf(detail: ChangeDetail, isPhone: boolean): View[] {
  const isDiff = detail.diff !== null && parseUnifiedDiff(detail.diff).length > 0;
  return [
    ...(isDiff && !isPhone ? (['split'] as const) : []),
    ...(detail.diff !== null && detail.diff !== '' ? (['unified'] as const) : []),
    ...(hasContent(detail.patches) ? (['patches'] as const) : []),
    ...(hasContent(detail.details) ? (['details'] as const) : []),
  ];
}

function ViewBody({ view, detail }: { view: View; detail: ChangeDetail }) {
  switch (view) {
    case 'split':
      return <SplitDiff diff={detail.diff ?? ''} />;
    case 'unified':
      return <UnifiedDiff diff={detail.diff ?? ''} />;
    case 'patches':
      return <JsonView label={words.tabs.patches} json={detail.patches} />;
    case 'details':
      return <JsonView label={words.tabs.details} json={detail.details} />;
  }
}

function textOf(view: View, detail: ChangeDetail): string {
  if (view === 'patches') return detail.patches ?? '';
  return (view === 'details' ? detail.details : detail.diff) ?? '';
}

function ChangeBody({ detail }: { detail: ChangeDetail }) {
  const isPhone = useMedia(PHONE);
  const views = useMemo(() => viewsOf(detail, isPhone), [detail, isPhone]);
  const [chosen, setChosen] = useState<View | null>(null);
  const view = views.find((one) => one === chosen) ?? views[0];
  const counts = useMemo(() => diffCounts(parseUnifiedDiff(detail.diff ?? '')), [detail]);
  if (view === undefined) return <p>{words.nothing}</p>;
  const isDiff = view === 'split' || view === 'unified';
  return (
    <>
      <div className={classes.views}>
        <Segmented
          label={words.view}
          value={view}
          options={views.map((value) => ({ value, label: words.tabs[value] }))}
          onChange={setChosen}
        />
        {isDiff && (
          <span className={classes.counts}>
            +{counts.added} −{counts.removed}
          </span>
        )}
        <CopyButton text={textOf(view, detail)} />
      </div>
      <div className={classes.code}>
        <Suspense fallback={<pre className={classes.plain}>{textOf(view, detail).slice(0, 2000)}</pre>}>
          <ViewBody view={view} detail={detail} />
        </Suspense>
      </div>
      {view === 'split' && <p className={classes.note}>{words.hunksOnly}</p>}
    </>
  );
}

function Failure({ code, message }: { code: string; message: string }) {
  if (code === 'not_found') return <p role="alert">{words.notFound}</p>;
  if (code === 'network' || code === 'timeout') return <p role="alert">{words.offline}</p>;
  return (
    <p role="alert">
      {words.failed}: {message}
    </p>
  );
}

interface ChangeDialogProps {
  changeId: string;
  /** The list's row, where it is in the list. */
  row: ChangeRow | null;
  onClose: () => void;
}

/** `row` is the change as the list has it, null where only its id is known (a link). */
export function ChangeDialog({ changeId, row, onClose }: ChangeDialogProps) {
  const device = useDevice();
  const { kept, error } = useQuery('change-detail', changeId === null ? null : { changeId });
  const detail = kept?.value ?? null;
  const known: Known | null = row ?? detail;
  const item = row?.name ?? detail?.config?.name ?? known?.config_id ?? '';
  const address = known === null ? '' : `${links.configTab(known.config_id, 'changes')}?change=${changeId}`;
  return (
    <Modal title={words.title(known?.change_type ?? null)} size="large" onClose={onClose}>
      {known !== null && <ChangeFacts known={known} item={item} />}
      {detail !== null && <ChangeBody key={detail.id} detail={detail} />}
      {detail === null && error === null && <p role="status">{words.loading}</p>}
      {detail === null && error !== null && <Failure code={error.code} message={messages.errorText(error)} />}
      {kept !== null && <CacheNote {...kept} />}
      {known !== null && (
        <div className={classes.actions}>
          <AttachButton
            draft={() =>
              draftOfChange(
                { ...known, id: changeId, diff: detail?.diff },
                { name: item, type: row?.type ?? detail?.config?.type },
              )
            }
          />
          <CopyButton text={device.addressOf(address)} label={words.copyLink} kind="link" />
        </div>
      )}
    </Modal>
  );
}
