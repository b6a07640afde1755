/**
 * What an evidence says, from this device alone: how its subject is now, how it was when it was attached where
 * that differs, and in plain words that the subject is gone. Content of others is only ever shown as text.
 */
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import type { RecordOf } from '../use-records.ts';
import { ChangeBody } from './ChangeBody.tsx';
import { CheckBody } from './CheckBody.tsx';
import { ComponentBody } from './ComponentBody.tsx';
import { ConfigBody } from './ConfigBody.tsx';
import classes from './evidence.module.css';
import { factsOfDraft, factsOfRow, subjectOf, type EvidenceFacts } from './evidence-facts.ts';
import { InsightBody } from './InsightBody.tsx';
import { LogBody } from './LogBody.tsx';
import { messages } from './messages.ts';

interface BodyProps {
  facts: EvidenceFacts;
  isCompact: boolean;
}

function Body({ facts, isCompact }: BodyProps) {
  switch (subjectOf(facts)) {
    case 'log':
      return <LogBody facts={facts} isCompact={isCompact} />;
    case 'config':
      return <ConfigBody facts={facts} isCompact={isCompact} />;
    case 'config_change':
      return <ChangeBody facts={facts} isCompact={isCompact} />;
    case 'config_analysis':
      return <InsightBody facts={facts} isCompact={isCompact} />;
    case 'topology':
      return <ComponentBody facts={facts} isCompact={isCompact} />;
    case 'check':
      return <CheckBody facts={facts} isCompact={isCompact} />;
    default:
      return (
        <p className={classes.text}>
          <SafeText text={facts.description || messages.noDescription} />
        </p>
      );
  }
}

/** An evidence of an incident, whatever its type (spec 3 §2, §3). */
export function EvidenceBody({ row, isCompact = false }: { row: RecordOf<'evidence'>; isCompact?: boolean }) {
  return (
    <div className={classes.root} data-evidence-type={row.type}>
      <Body facts={factsOfRow(row)} isCompact={isCompact} />
    </div>
  );
}

/** An evidence before it is attached. */
export function DraftBody({ draft }: { draft: EvidenceDraft }) {
  return (
    <div className={classes.root} data-evidence-type={draft.type}>
      <Body facts={factsOfDraft(draft)} isCompact={false} />
    </div>
  );
}
