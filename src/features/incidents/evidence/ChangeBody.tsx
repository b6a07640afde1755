import { IconGitCommit } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { readSnapshot } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { DiffLines } from '../../../ui/code/DiffLines.tsx';
import { CacheNote } from '../../../ui/feedback/CacheNote.tsx';
import { SafeText } from '../../../ui/marks/SafeText.tsx';
import { SeverityMark } from '../SeverityMark.tsx';
import classes from './evidence.module.css';
import { messages } from './messages.ts';
import { Description, Gone, linkTo, MaybeLink, Subject, type TypeBodyProps } from './subject-parts.tsx';
import { useConfigName } from './use-config-name.ts';

/** The diff of a change that didn't come along: from this device where it was seen, else from the server. */
function FetchedDiff({ changeId }: { changeId: string }) {
  const { kept, error } = useQuery('change-detail', { changeId });
  const diff = kept?.value.diff ?? null;
  if (kept === null) {
    if (error === null) return <p role="status">{messages.diff.loading}</p>;
    const text = error.code === 'not_found' ? messages.diff.gone : messages.diff.offline;
    return <p role="alert">{text}</p>;
  }
  return (
    <>
      <CacheNote {...kept} />
      {diff === null || diff === '' ? (
        <p className={classes.dim}>{messages.diff.none}</p>
      ) : (
        <DiffLines diff={diff} label={messages.diff.label} />
      )}
    </>
  );
}

/** A diff that is folded until somebody wants it. */
function Diff({ changeId, diff }: { changeId: string | null; diff: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  if (diff === undefined && changeId === null) return null;
  return (
    <>
      <Button
        look="quiet"
        className={classes.fold ?? ''}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? messages.diff.hide : messages.diff.show}
      </Button>
      {isOpen && diff !== undefined && <DiffLines diff={diff} label={messages.diff.label} />}
      {isOpen && diff === undefined && changeId !== null && <FetchedDiff changeId={changeId} />}
    </>
  );
}

/** A change of a config item: what happened, when, and the diff. */
export function ChangeBody({ facts, isCompact }: TypeBodyProps) {
  const found = useLiveRow('config_changes', facts.changeId ?? '');
  const then = readSnapshot(facts.evidence);
  const change = found?.row;
  // What other programs attach may name the change alone.
  const configId = facts.configId ?? change?.config_id ?? null;
  const config = useConfigName(configId);
  const type = change?.change_type ?? then.type ?? messages.unnamedChange;
  const severity = change?.severity ?? then.severity;
  const summary = change?.summary ?? then.summary;
  const source = change?.source ?? then.source;
  const at = change?.created_at ?? then.created_at;
  const { changeId } = facts;
  const configName = config?.name ?? then.config_name ?? configId ?? messages.unnamed;
  const isKnown = change !== undefined || then.type !== undefined;
  return (
    <>
      {!isCompact && <Description facts={facts} name={`${type} · ${configName}`} />}
      <Subject
        icon={<IconGitCommit size={16} stroke={1.6} aria-hidden />}
        name={type}
        href={linkTo(facts, changeId, (id) => links.configChange(configId ?? '', id))}
      >
        <span className={classes.kind}>
          {messages.of} <MaybeLink href={linkTo(facts, configId, links.config)}>{configName}</MaybeLink>
        </span>
        {severity ? <SeverityMark severity={severity} /> : null}
        {source ? <span className={classes.dim}>{source}</span> : null}
        {at ? (
          <span className={classes.dim}>
            <Age at={at} suffix={messages.ago} />
          </span>
        ) : null}
      </Subject>
      {summary && !isCompact ? (
        <p className={classes.text}>
          <SafeText text={summary} />
        </p>
      ) : null}
      {found === null && !isKnown && <Gone text={messages.gone.change} hasMemory={false} />}
      {!isCompact && <Diff changeId={changeId} diff={then.diff} />}
    </>
  );
}
