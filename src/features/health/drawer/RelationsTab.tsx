import type { CheckDetail } from '../../../contract/queries/check-queries.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import { useIncidentsAbout } from '../../../data/queries/incidents/use-incidents-about.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { ThingHealth } from '../../../ui/page/ThingHealth.tsx';
import { IncidentLinks } from '../../../ui/page/IncidentLinks.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import classes from './drawer.module.css';
import { messages } from './messages.ts';
import { NotHere } from './NotHere.tsx';

type Related = CheckDetail['configs'][number];

interface RelatedListProps {
  title: string;
  kind: 'config' | 'component';
  items: readonly Related[];
  linkOf: (id: string) => string;
}

function RelatedList({ title, kind, items, linkOf }: RelatedListProps) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item.id} className={classes.relation}>
            <span className={classes.related}>
              <ThingHealth kind={kind} id={item.id} />
              <AppLink href={linkOf(item.id)}>{item.name || item.id}</AppLink>
              <SilencedMark kind={kind} id={item.id} />
            </span>
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
        <RelatedList title={messages.configs} kind="config" items={configs} linkOf={links.config} />
        <RelatedList
          title={messages.components}
          kind="component"
          items={components}
          linkOf={links.component}
        />
        <IncidentLinks incidents={incidents} />
      </div>
    </>
  );
}
