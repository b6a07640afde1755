import type { CheckDetail } from '../../../contract/queries/check-queries.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import { useIncidentsAbout } from '../../../data/queries/incidents/use-incidents-about.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { IncidentLinks } from '../../../ui/page/IncidentLinks.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import classes from './drawer.module.css';
import { messages } from './messages.ts';
import { NotHere } from './NotHere.tsx';

type Related = CheckDetail['configs'][number];

function RelatedList(props: { title: string; items: readonly Related[]; linkOf: (id: string) => string }) {
  const { title, items, linkOf } = props;
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item.id} className={classes.relation}>
            <AppLink href={linkOf(item.id)}>{item.name || item.id}</AppLink>
            {item.type !== null && <Tag value={item.type} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the check is linked to: in the catalog, in the topology, and the incidents that it is evidence of. */
export function RelationsTab({ checkId, detail }: { checkId: string; detail: Loadable<CheckDetail> }) {
  const { kept, error } = detail;
  const incidents = useIncidentsAbout('check_id', checkId);
  if (kept === null) {
    if (error === null) return <p role="status">{ui.loading}</p>;
    return (
      <>
        <IncidentLinks incidents={incidents} />
        <NotHere what={messages.tabs.relationships} error={error} />
      </>
    );
  }
  const { configs, components } = kept.value;
  if (configs.length + components.length + incidents.length === 0)
    return <StateNote title={messages.noRelations} />;
  return (
    <>
      <CacheNote {...kept} />
      <div className={classes.relations}>
        <RelatedList title={messages.configs} items={configs} linkOf={links.config} />
        <RelatedList title={messages.components} items={components} linkOf={links.component} />
        <IncidentLinks incidents={incidents} />
      </div>
    </>
  );
}
