import { links } from '../../../domain/links.ts';
import { unwanted, wanted } from '../../../domain/tri-state.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { changesSearch, type ChangesSearch } from '../search-schemas.ts';
import { CatalogFrame } from '../CatalogFrame.tsx';
import { ChangesList } from './ChangesList.tsx';
import classes from './changes.module.css';
import { messages } from './messages.ts';
import { filterOf } from './url-state.ts';

/** The one type that is looked at; null for more or none. */
function singleType(search: ChangesSearch): string | null {
  const filter = filterOf(search, 'configTypes');
  const [type, ...others] = wanted(filter);
  return type !== undefined && others.length === 0 && unwanted(filter).length === 0 ? type : null;
}

/** Changes of everything in the catalog (spec 2 §2 'Global changes list'). */
export function ChangesPage() {
  const [search] = useSearchState(changesSearch);
  const type = singleType(search);
  return (
    <CatalogFrame tab="changes">
      <nav aria-label={messages.path} className={classes.pathLine}>
        <ol className={classes.path}>
          <li>
            <AppLink href={links.catalog()}>{messages.catalog}</AppLink>
          </li>
          <li {...(type === null ? { 'aria-current': 'page' as const } : {})}>{messages.title}</li>
          {type !== null && (
            <li>
              <AppLink href={links.catalogType(type)}>{type}</AppLink>
            </li>
          )}
        </ol>
      </nav>
      <ChangesList configId={null} />
    </CatalogFrame>
  );
}
