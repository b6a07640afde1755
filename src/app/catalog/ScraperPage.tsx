import type { SessionUser } from '../../contract/session-user.ts';
import { CatalogFrame } from '../../features/catalog/CatalogFrame.tsx';
import { RunScraper } from '../../features/catalog/scrapers/RunScraper.tsx';
import { ResourcePage, useResource } from '../../features/settings/resources/ResourcePage.tsx';
import { useSearchState } from '../../ui/search/use-search-state.ts';
import { resourceSearch } from '../../features/settings/search-schemas.ts';
import { RESOURCES } from '../../domain/settings/resource-kinds.ts';
import { SCRAPERS_PATH } from './scraper-path.ts';

const LIST = { path: SCRAPERS_PATH, title: RESOURCES.config_scrapers.title };

interface ScraperPageProps {
  scraperId: string;
  reader: SessionUser;
  mayRun: boolean;
}

/** A scraper with its spec and its jobs, and the way to run it now. */
export function ScraperPage({ scraperId, mayRun, ...props }: ScraperPageProps) {
  const { row, isGone } = useResource('config_scrapers', scraperId);
  const [, change] = useSearchState(resourceSearch);
  const isThere = row !== undefined && !isGone;
  return (
    <CatalogFrame
      tab="scrapers"
      actions={
        mayRun && isThere && <RunScraper scraperId={scraperId} onDone={() => change({ tab: 'jobHistory' })} />
      }
    >
      <ResourcePage {...props} kind="config_scrapers" id={scraperId} list={LIST} />
    </CatalogFrame>
  );
}
