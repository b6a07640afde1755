/** The checks that are linked to the item: which they are the server says, how they are this device (spec 2 §2). */
import type { LinkedCheck } from '../../../contract/http/catalog/config-item.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useCheck } from '../../../data/queries/health/use-check.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { HealthLabel } from '../../../ui/marks/HealthMark.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import classes from './item.module.css';
import { useItem } from './item-context.tsx';
import { messages } from './messages.ts';

const words = messages.checks;

/** A check as it is now, where it is on this device. */
function CheckLine({ linked }: { linked: LinkedCheck }) {
  const view = useCheck(linked.id);
  const check = view?.check;
  return (
    <tr>
      <td>
        <AppLink href={links.check(linked.id)}>{check?.name ?? linked.name}</AppLink>
        <SilencedMark kind="check" id={linked.id} />
      </td>
      <td>
        <HealthLabel state={view?.health.state ?? healthOfWord(linked.status)} />
      </td>
      <td>{check?.type ?? linked.type ?? ui.nothing}</td>
      <td>
        <Age at={check?.last_runtime ?? null} suffix={messages.details.ago} />
      </td>
    </tr>
  );
}

/** Inside an `ItemPage`. */
export function ChecksTab() {
  const { facts } = useItem();
  const { kept, error } = useQuery('config-checks', { configId: facts.id });
  if (kept === null) {
    if (error === null) return <SkeletonRows text={ui.loading} />;
    const isAway = error.code === 'network' || error.code === 'timeout';
    return (
      <p role="alert" className={classes.empty}>
        {isAway ? words.offline : `${words.failed}: ${messages.errorText(error)}`}
      </p>
    );
  }
  return (
    <div className={classes.tabBody}>
      {kept.value.length === 0 ? (
        <p className={classes.none}>{words.none}</p>
      ) : (
        <table className={classes.table} aria-label={words.table}>
          <thead>
            <tr>
              <th scope="col">{words.columns.name}</th>
              <th scope="col">{words.columns.health}</th>
              <th scope="col">{words.columns.type}</th>
              <th scope="col">{words.columns.run}</th>
            </tr>
          </thead>
          <tbody>
            {kept.value.map((linked) => (
              <CheckLine key={linked.id} linked={linked} />
            ))}
          </tbody>
        </table>
      )}
      <CacheNote {...kept} />
    </div>
  );
}
