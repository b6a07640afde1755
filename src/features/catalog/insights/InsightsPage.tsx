import type { SearchProps } from '../../../ui/tables/use-table-state.ts';
import { CatalogFrame } from '../CatalogFrame.tsx';
import { InsightsList } from './InsightsList.tsx';

/** What analyzers found in the catalog (spec 3 §2). */
export function InsightsPage(props: SearchProps) {
  return (
    <CatalogFrame tab="insights">
      <InsightsList {...props} configId={null} />
    </CatalogFrame>
  );
}
