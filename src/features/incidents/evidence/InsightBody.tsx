import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { changedSince, readSnapshot } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AnalysisIcon } from '../../../ui/marks/AnalysisIcon.tsx';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { SeverityMark } from '../SeverityMark.tsx';
import { wordFor } from '../words.ts';
import classes from './evidence.module.css';
import { messages } from './messages.ts';
import {
  Description,
  Gone,
  joined,
  linkTo,
  MaybeLink,
  Subject,
  Then,
  type TypeBodyProps,
} from './subject-parts.tsx';
import { useConfigName } from './use-config-name.ts';

function Seen({ first, last }: { first: string | null | undefined; last: string | null | undefined }) {
  return (
    <span className={classes.dim}>
      {first ? (
        <>
          {messages.firstSeen} <Age at={first} suffix={messages.ago} />
        </>
      ) : null}
      {first && last ? ', ' : null}
      {last ? (
        <>
          {messages.lastSeen} <Age at={last} suffix={messages.ago} />
        </>
      ) : null}
    </span>
  );
}

/** What an analyzer found: how bad, what it says, since when. */
export function InsightBody({ facts, isCompact }: TypeBodyProps) {
  const found = useLiveRow('config_insights', facts.insightId ?? '');
  const config = useConfigName(facts.configId);
  const then = readSnapshot(facts.evidence);
  const now = found?.row ?? then;
  const analyzer = now.analyzer ?? messages.unnamed;
  const { configId, insightId } = facts;
  const configName = config?.name ?? then.config_name ?? configId;
  const message = now.message ?? now.summary;
  const changed = found ? changedSince(then, found.row, ['severity', 'status', 'message']) : [];
  return (
    <>
      {!isCompact && <Description facts={facts} name={joined([analyzer, configName])} />}
      <Subject
        icon={<AnalysisIcon type={now.analysis_type ?? ''} size={16} />}
        name={analyzer}
        href={linkTo(facts, insightId, (id) => links.configInsight(configId ?? '', id))}
      >
        {configId !== null && (
          <span className={classes.kind}>
            {messages.of} <MaybeLink href={linkTo(facts, configId, links.config)}>{configName}</MaybeLink>
          </span>
        )}
        {now.severity ? <SeverityMark severity={now.severity} /> : null}
        <Seen first={now.first_observed} last={now.last_observed} />
      </Subject>
      {message && !isCompact ? (
        <p className={classes.text}>
          <SafeText text={message} />
        </p>
      ) : null}
      {found === null && <Gone text={messages.gone.insight} hasMemory={then.analyzer !== undefined} />}
      {changed.length > 0 && (
        <Then facts={facts}>
          <SafeText
            text={joined([
              changed.includes('severity') ? wordFor('severities', then.severity ?? '') : null,
              changed.includes('status') ? then.status : null,
              changed.includes('message') ? then.message : null,
            ])}
          />
        </Then>
      )}
    </>
  );
}
