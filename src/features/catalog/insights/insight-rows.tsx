import type { InsightViewRow } from '../../../contract/http/catalog/catalog-rows.ts';
import type { InsightColumn, InsightRow } from '../../../contract/insight-view.ts';
import { shortType } from '../../../domain/catalog/type-names.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import type { FoldableColumn } from '../../../ui/tables/fold-columns.ts';
import { messages as ui } from '../../../ui/messages.ts';
import { AnalysisIcon } from '../../../ui/marks/AnalysisIcon.tsx';
import classes from './insights.module.css';
import { messages } from './messages.ts';

/** What of a message is shown in a list (spec 2 §9). */
const MESSAGE_LIMIT = 500;

export interface InsightCell extends FoldableColumn {
  id: InsightColumn | 'status';
  width: string;
  align?: 'end';
}

/** In the order of contract §19.11; the first one names the row. */
export const INSIGHT_CELLS: readonly InsightCell[] = [
  { id: 'config', width: 'minmax(240px, 2.2fr)' },
  { id: 'analysis_type', width: 'minmax(120px, 0.8fr)', priority: 1 },
  { id: 'analyzer', width: 'minmax(140px, 1fr)' },
  { id: 'severity', width: '104px', priority: 1 },
  { id: 'status', width: '88px', priority: 3 },
  { id: 'first_observed', width: '128px', align: 'end', priority: 3 },
  { id: 'last_observed', width: '112px', align: 'end' },
];

/** As much of a message as a row has room for. */
export function shortMessage(text: string): string {
  return text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT)} …` : text;
}

/** A severity by word and by weight; its colour says no more than its word. */
export function SeverityTag({ severity }: { severity: string | null }) {
  if (severity === null) return ui.nothing;
  return (
    <span className={classes.severity} data-severity={severity.toLowerCase()}>
      {severity}
    </span>
  );
}

/** What the server says of an insight, as this device has it. */
export function rowOfView(row: InsightViewRow): InsightRow {
  return {
    id: row.id,
    configId: row.config_id ?? '',
    configName: row.config?.name ?? null,
    configType: row.config?.type ?? null,
    type: row.analysis_type ?? null,
    analyzer: row.analyzer ?? null,
    severity: row.severity ?? null,
    status: row.status ?? null,
    summary: row.summary ?? row.message ?? null,
    firstObserved: row.first_observed ?? null,
    lastObserved: row.last_observed ?? null,
  };
}

/** What a column shows of an insight. */
export function insightCell(row: InsightRow, id: InsightCell['id']) {
  switch (id) {
    case 'config':
      // Every item has a type; not every one a name.
      return row.configName ?? (row.configType === null ? messages.unknownItem : row.configId);
    case 'analysis_type':
      return row.type === null ? (
        ui.nothing
      ) : (
        <span className={classes.type}>
          <AnalysisIcon type={row.type} />
          {row.type}
        </span>
      );
    case 'analyzer':
      return <span title={shortMessage(row.summary ?? '')}>{row.analyzer ?? ui.nothing}</span>;
    case 'severity':
      return <SeverityTag severity={row.severity} />;
    case 'status':
      return row.status ?? ui.nothing;
    case 'first_observed':
      return <Age at={row.firstObserved} />;
    case 'last_observed':
      return <Age at={row.lastObserved} />;
  }
}

/** The item's type beside its name. */
export function typeText({ configType }: InsightRow): string {
  return configType === null ? '' : shortType(configType);
}
