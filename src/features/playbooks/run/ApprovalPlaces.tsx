import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import type { PlaybookApproval } from '../../../contract/http/playbooks/playbook-approval.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { messages } from '../messages.ts';
import { ResourceName } from '../PersonName.tsx';
import classes from './run.module.css';

const words = messages.detail.approval;
type Place = PlaybookApproval['places'][number];

function Given({ place: { approved_by: by, approved_at: at } }: { place: Place }) {
  if (by === null) return words.open;
  return (
    <>
      {words.by(by)}
      {typeof at === 'string' && (
        <>
          {', '}
          <Age at={at} suffix=" ago" />
        </>
      )}
    </>
  );
}

/** Who is to approve a run and who has, for as long as the run is kept. */
export function ApprovalPlaces({ approval: { type, places } }: { approval: PlaybookApproval }) {
  return (
    <section className={classes.approval} aria-label={words.title}>
      <h2>{words.title}</h2>
      {places.length > 1 && <p>{words.rule[type]}</p>}
      <ul>
        {places.map((place) => (
          <li key={`${place.kind} ${place.name}`} data-approved={place.approved_by !== null}>
            {place.approved_by === null ? (
              <IconCircleDashed size={16} aria-hidden />
            ) : (
              <IconCircleCheck size={16} aria-hidden />
            )}
            <span>
              {place.kind === 'team' ? (
                <>
                  {words.team} <ResourceName id={place.name} />
                </>
              ) : (
                place.name
              )}
            </span>
            <span className={classes.given}>
              <Given place={place} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
