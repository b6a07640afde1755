import { IconTrash } from '@tabler/icons-react';
import type { CatalogGroupRow, CatalogItemRow, CatalogRow } from '../../../contract/catalog-view.ts';
import { costText, costTrend, isManyChanges, shortCount } from '../../../domain/catalog/numbers.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { AnalysisIcon } from '../../../ui/marks/AnalysisIcon.tsx';
import classes from './cells.module.css';
import { messages } from './messages.ts';

/** Tags that say most come first: where a thing is. */
const FIRST_TAGS = ['cluster', 'namespace', 'account', 'region', 'zone'];
const MAX_TAGS = 1;
const MAX_ANALYSES = 3;

/** Health by its mark, the status in its own words; a deleted item says so instead. */
export function StatusCell({ row }: { row: CatalogItemRow }) {
  if (row.deletedAt !== null) {
    return (
      <span className={classes.deleted} title={row.status ?? ''}>
        <IconTrash size={14} aria-hidden />
        {messages.deleted}
      </span>
    );
  }
  return (
    <span className={classes.status}>
      <HealthMark state={row.health} label={messages.health[row.health]} />
      <span className={classes.text}>{row.status ?? messages.health[row.health]}</span>
    </span>
  );
}

/** What changes very often is marked, an item or a group (spec 2 §9). */
export function ChangesCell({ changes, days }: { changes: number; days: number }) {
  if (changes === 0) return ui.nothing;
  return (
    <span className={isManyChanges(changes) ? classes.many : ''} title={messages.changes(changes, days)}>
      {shortCount(changes)}
    </span>
  );
}

/** Open insights by type, the most frequent first. */
export function AnalysisCell({ analysis }: { analysis: CatalogRow['analysis'] }) {
  const all = Object.entries(analysis).toSorted(([, a], [, b]) => b - a);
  if (all.length === 0) return ui.nothing;
  return (
    <span className={classes.analysis}>
      {all.slice(0, MAX_ANALYSES).map(([type, count]) => {
        const text = messages.insights(type, count);
        return (
          <span key={type} role="img" aria-label={text} title={text} className={classes.finding}>
            <AnalysisIcon type={type} />
            {shortCount(count)}
          </span>
        );
      })}
      {all.length > MAX_ANALYSES && messages.more(all.length - MAX_ANALYSES)}
    </span>
  );
}

function Trend({ row }: { row: Pick<CatalogRow, 'cost1d' | 'cost30d'> }) {
  const percent = costTrend(row);
  if (percent === null) return null;
  return (
    <span
      className={`${classes.trend} ${percent > 0 ? classes.dearer : ''}`}
      title={messages.cost.trendTitle(percent)}
    >
      {messages.cost.trend(percent)}
    </span>
  );
}

const WINDOWS = ['cost1d', 'cost7d', 'cost30d'] as const;

/** The month's cost; a press shows the other windows (spec 2 §2). Shown only when all are known. */
export function CostCell({ row, name }: { row: CatalogItemRow; name: string }) {
  if (row.cost1d === 0 || row.cost7d === 0 || row.cost30d === 0) return ui.nothing;
  return (
    <span className={classes.cost}>
      <Trend row={row} />
      <Popover
        kind="dialog"
        label={messages.cost.details(name)}
        trigger={(trigger) => (
          <Button
            {...trigger}
            look="quiet"
            className={classes.amount ?? ''}
            aria-label={`${costText(row.cost30d)}, ${messages.cost.details(name)}`}
          >
            {costText(row.cost30d)}
          </Button>
        )}
      >
        {() => (
          <dl className={classes.costs}>
            {WINDOWS.map((window) => (
              <div key={window}>
                <dt>{messages.cost.windows[window]}</dt>
                <dd>{costText(row[window])}</dd>
              </div>
            ))}
          </dl>
        )}
      </Popover>
    </span>
  );
}

/** What the items of a group cost in 30 days. */
export function GroupCost({ row }: { row: CatalogGroupRow }) {
  return row.cost30d === 0 ? ui.nothing : costText(row.cost30d);
}

function sortedTags(tags: CatalogItemRow['tags']): [string, string][] {
  const rank = (key: string) => {
    const at = FIRST_TAGS.indexOf(key);
    return at < 0 ? FIRST_TAGS.length : at;
  };
  return Object.entries(tags).toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The tags that tell most, and how many more there are. */
export function TagsCell({ tags }: { tags: CatalogItemRow['tags'] }) {
  const all = sortedTags(tags);
  if (all.length === 0) return ui.nothing;
  const rest = all.slice(MAX_TAGS);
  return (
    <span className={classes.tags}>
      {all.slice(0, MAX_TAGS).map(([key, value]) => (
        <Tag key={key} name={key} value={value} />
      ))}
      {rest.length > 0 && (
        <span className={classes.rest} title={rest.map(([key, value]) => `${key}: ${value}`).join('\n')}>
          {messages.more(rest.length)}
        </span>
      )}
    </span>
  );
}
