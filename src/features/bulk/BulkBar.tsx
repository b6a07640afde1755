/** What may be done with what is chosen of a list, and what came of it (see ui/page/Bulk.tsx). */
import { useState } from 'react';
import type { BulkPart } from '../../data/commands/use-bulk.ts';
import { useBulk } from '../../data/commands/use-bulk.ts';
import { THINGS, type BulkVerb } from '../../domain/bulk/things.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { useBulkVerbs, type BulkProps } from '../../ui/page/Bulk.tsx';
import { BulkReport } from './BulkReport.tsx';
import { canaryCount, changeParts, runParts, type Asked } from './bulk-parts.ts';
import { LabelDialog, MoveDialog } from './ChangeDialogs.tsx';
import classes from './bulk.module.css';
import { messages } from './messages.ts';

const nounOf = (kind: BulkProps['kind']) =>
  kind === 'checks' ? (['check', 'checks'] as const) : THINGS[kind].noun;

/** The dialog that a change asks with, before anything is given. */
function Ask(props: { verb: BulkVerb; what: string; onAsk: (asked: Asked) => void; onClose: () => void }) {
  const { verb, what, onAsk, onClose } = props;
  if (verb === 'label') return <LabelDialog onApply={onAsk} onClose={onClose} />;
  if (verb === 'move') return <MoveDialog onApply={onAsk} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={messages.deletion(what).title}
      question={messages.deletion(what).text}
      confirm={messages.deletion(what).confirm}
      onConfirm={() => onAsk({ do: 'delete' })}
      onClose={onClose}
    />
  );
}

/** See the head of this file. */
export function BulkBar(props: BulkProps) {
  const { kind, chosen, matching, onAll, onClear } = props;
  const bulk = useBulk();
  const toasts = useToasts();
  const [asking, setAsking] = useState<BulkVerb | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const verbs = useBulkVerbs(kind);
  const what = messages.count(chosen.length, nounOf(kind));
  const give = async (verb: BulkVerb, parts: readonly BulkPart[]) => {
    setIsSaving(true);
    const answer = await bulk.give(`${messages.done[verb]}: ${what}`, parts);
    setIsSaving(false);
    if (!answer.ok) return toasts.error(`${messages.report.failed}: ${messages.errorText(answer.error)}`);
    onClear();
  };
  const ask = (asked: Asked) => {
    setAsking(null);
    void give(asked.do, changeParts(kind, chosen, asked));
  };
  const press = (verb: BulkVerb) => {
    if (verb === 'run') void give(verb, runParts(kind, chosen));
    else if (verb === 'pause' || verb === 'resume') ask({ do: verb });
    else setAsking(verb);
  };
  if (chosen.length === 0 && bulk.report === null) return null;
  return (
    <section className={classes.bar} aria-label={messages.region}>
      {bulk.report !== null && chosen.length === 0 && (
        <BulkReport report={bulk.report} onUndo={() => void bulk.undo()} onClose={bulk.dismiss} />
      )}
      {chosen.length > 0 && (
        <>
          <div className={classes.line}>
            <strong role="status">{messages.chosen(chosen.length)}</strong>
            {onAll !== null && matching !== null && matching > chosen.length && (
              <Button look="quiet" onClick={onAll}>
                {messages.all(matching)}
              </Button>
            )}
            <Button look="quiet" onClick={onClear}>
              {messages.clear}
            </Button>
            {kind === 'checks' && (
              <span className={classes.hint}>{messages.ofCanaries(chosen.length, canaryCount(chosen))}</span>
            )}
          </div>
          <div className={classes.verbs}>
            {verbs.map((verb) => (
              <Button key={verb} disabled={isSaving} onClick={() => press(verb)}>
                {messages.verbs[verb]}
              </Button>
            ))}
            {isSaving && <span role="status">{messages.report.saving}</span>}
          </div>
        </>
      )}
      {asking !== null && <Ask verb={asking} what={what} onAsk={ask} onClose={() => setAsking(null)} />}
    </section>
  );
}
