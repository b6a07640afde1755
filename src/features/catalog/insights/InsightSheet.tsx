import { Suspense } from 'react';
import type { InsightViewRow } from '../../../contract/http/catalog/catalog-rows.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { draftOfInsight } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { AttachButton } from '../../../ui/page/AttachEvidence.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Facts } from '../../../ui/page/Page.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { lazyPart } from '../../../ui/page/lazy-part.tsx';
import { SeverityTag } from './insight-rows.tsx';
import classes from './insights.module.css';
import { messages } from './messages.ts';

const words = messages.detail;
const AnalysisCode = lazyPart(async () => (await import('./AnalysisCode.tsx')).AnalysisCode);

interface DetailProps {
  row: InsightViewRow;
  itemName: string | null;
  isWhole: boolean;
}

function Detail({ row, itemName, isWhole }: DetailProps) {
  const { config, analysis } = row;
  const configId = config?.id ?? row.config_id ?? '';
  const facts = [
    {
      name: words.config,
      value: <AppLink href={links.config(configId)}>{config?.name ?? itemName ?? configId}</AppLink>,
    },
    { name: messages.columns.analysis_type, value: row.analysis_type ?? ui.nothing },
    { name: messages.columns.severity, value: <SeverityTag severity={row.severity ?? null} /> },
    { name: messages.columns.status, value: row.status ?? ui.nothing },
    { name: messages.columns.analyzer, value: row.analyzer ?? ui.nothing },
    { name: words.source, value: row.source ?? ui.nothing },
    { name: messages.columns.first_observed, value: <Age at={row.first_observed ?? null} suffix=" ago" /> },
    { name: messages.columns.last_observed, value: <Age at={row.last_observed ?? null} suffix=" ago" /> },
  ];
  const hasAnalysis = analysis !== null && analysis !== undefined;
  return (
    <>
      <p className={classes.message}>{row.message ?? row.summary ?? ui.nothing}</p>
      <Facts facts={facts} />
      <div>
        <AttachButton draft={() => draftOfInsight(row, { name: config?.name, type: config?.type })} />
      </div>
      {isWhole && !hasAnalysis && <p className={classes.dim}>{words.noAnalysis}</p>}
      {hasAnalysis && (
        <section aria-label={words.analysis} className={classes.code}>
          <Suspense fallback={<SkeletonRows text={ui.loading} />}>
            <AnalysisCode analysis={analysis} />
          </Suspense>
        </section>
      )}
    </>
  );
}

interface InsightSheetProps {
  id: string;
  /** As the list has it; null where it doesn't. */
  itemName: string | null;
  onClose: () => void;
}

/** One insight: at once what this device has of it, with its analysis when the server or a former look gave it. */
export function InsightSheet({ id, itemName, onClose }: InsightSheetProps) {
  const isPhone = useMedia(PHONE);
  const { kept, error } = useTable({
    view: 'insight',
    where: [{ op: 'eq', column: 'id', value: id }],
    limit: 1,
  });
  const local = useLiveRow('config_insights', id);
  const whole = kept?.value.rows[0];
  const row = whole ?? (local ? { ...local.row, config: null, analysis: local.row.analysis } : undefined);
  const isGone = kept !== null && whole === undefined && local === null;
  return (
    <Sheet label={words.title} side={isPhone ? 'bottom' : 'center'} size="medium" onClose={onClose} hasTitle>
      <div className={classes.detail}>
        {kept !== null && <CacheNote {...kept} />}
        {row !== undefined && <Detail row={row} itemName={itemName} isWhole={whole !== undefined} />}
        {isGone && <StateNote title={words.gone} />}
        {row === undefined && !isGone && error === null && <SkeletonRows text={words.loading} />}
        {row === undefined && error !== null && (
          <StateNote title={words.failed} role="alert">
            <p>{messages.errorText(error)}</p>
          </StateNote>
        )}
        {row !== undefined && whole === undefined && error !== null && (
          <p className={classes.dim}>{messages.errorText(error)}</p>
        )}
      </div>
    </Sheet>
  );
}
