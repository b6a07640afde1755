import { CatalogFrame } from '../CatalogFrame.tsx';
import { InsightsList } from './InsightsList.tsx';

/** What analyzers found in the catalog (spec 3 §2). */
export function InsightsPage() {
  return (
    <CatalogFrame tab="insights">
      <InsightsList configId={null} />
    </CatalogFrame>
  );
}
