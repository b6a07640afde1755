import { ListFrame, type ListFrameProps } from '../../ui/page/ListFrame.tsx';
import { messages } from './messages.ts';

const words = messages.frame;

/** The four lists of the catalog (spec 2 §2). */
const TABS = [
  { key: 'catalog', text: 'Catalog', href: '/catalog' },
  { key: 'changes', text: 'Changes', href: '/catalog/changes' },
  { key: 'insights', text: 'Insights', href: '/catalog/insights' },
  { key: 'scrapers', text: 'Scrapers', href: '/catalog/scrapers' },
] as const;

type CatalogFrameProps = Omit<ListFrameProps<(typeof TABS)[number]['key']>, 'title' | 'label' | 'tabs'>;

/** One of the catalog's lists. */
export function CatalogFrame(props: CatalogFrameProps) {
  return <ListFrame {...props} title={words.title} label={words.label} tabs={TABS} />;
}
