import type { SessionUser } from '../../contract/session-user.ts';
import { CatalogFrame } from '../../features/catalog/CatalogFrame.tsx';
import { ResourcesPage } from '../../features/settings/resources/ResourcesPage.tsx';
import { scraperPath } from './scraper-path.ts';

/** The scrapers as a part of the catalog: the list of the settings, within the catalog's frame. */
export function ScrapersPage(props: { reader: SessionUser }) {
  return (
    <CatalogFrame tab="scrapers">
      <ResourcesPage {...props} kind="config_scrapers" pathOf={scraperPath} />
    </CatalogFrame>
  );
}
