/** What may be done with what is chosen of a list, and what came of it (see ui/page/Bulk.tsx). */
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { nowOnServer } from '../../data/commands/commands.ts';
import { useBulk } from '../../data/commands/use-bulk.ts';
import { useDirectBulk } from '../../data/commands/use-direct-bulk.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { nounOf, sharedVerbs, type BulkVerb } from '../../domain/bulk/bulk-verbs.ts';
import { Button, IconButton } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { PHONE, useMedia } from '../../ui/hooks/use-media.ts';
import { useBulkVerbs, type BulkProps } from '../../ui/page/Bulk.tsx';
import { Ask, askedAtOnce } from './Ask.tsx';
import { canaryCount, partsFor, type Asked } from './bulk-parts.ts';
import { BulkReport, useIsHeld } from './BulkReport.tsx';
import { directSteps, isDirect } from './direct-steps.ts';
import classes from './bulk.module.css';
import { messages } from './messages.ts';

/** Does what is asked to what is chosen, in the way of that list. */
function useDo({ kind, chosen, onClear }: BulkProps) {
  const bulk = useBulk();
  const direct = useDirectBulk();
  const toasts = useToasts();
  const device = useDevice();
  const [isSaving, setIsSaving] = useState(false);
  const ask = async (asked: Asked) => {
    const title = `${messages.done[asked.do]}: ${messages.count(chosen.length, nounOf(kind))}`;
    if (isDirect(kind)) {
      direct.give(title, directSteps(kind, chosen, asked));
      onClear();
      return;
    }
    const asking = { newId: () => device.newId(), nowMs: nowOnServer() };
    const parts = partsFor({ kind, chosen }, asked, asking);
    if (parts.length === 0) return toasts.error(messages.report.nothing);
    setIsSaving(true);
    const answer = await bulk.give({ key: device.newId(), title, parts });
    setIsSaving(false);
    if (!answer.ok) return toasts.error(`${messages.report.failed}: ${messages.errorText(answer.error)}`);
    onClear();
  };
  return { bulk, direct, isHeld: useIsHeld(bulk.report), isSaving, ask };
}

/** Of a list it is the one or the other: what waits in the outbox, or what somebody waits for. */
function Outcome({ bulk, direct, isHeld }: Pick<ReturnType<typeof useDo>, 'bulk' | 'direct' | 'isHeld'>) {
  if (direct.report !== null) {
    const { title } = direct.report;
    return (
      <BulkReport
        key={title}
        report={direct.report}
        onUndo={direct.mayUndo ? () => direct.undo(messages.undoing(title)) : null}
        onStop={direct.isRunning ? direct.stop : null}
        onClose={direct.dismiss}
      />
    );
  }
  if (bulk.report === null) return null;
  const isWaiting = bulk.report.results.some(({ state }) => state === 'waiting');
  const takeBack = isWaiting ? () => void bulk.takeBack() : null;
  return (
    <BulkReport
      key={bulk.report.results[0]?.key ?? ''}
      report={bulk.report}
      onUndo={isHeld ? takeBack : null}
      onStop={takeBack}
      onClose={bulk.dismiss}
    />
  );
}

function ChosenLine({ kind, chosen, matching, onAll, onClear }: BulkProps) {
  const isPhone = useMedia(PHONE);
  return (
    <div className={classes.line}>
      <strong role="status">{messages.chosen(chosen.length)}</strong>
      {onAll !== null && matching !== null && matching > chosen.length && (
        <Button look="quiet" onClick={onAll}>
          {messages.all(matching)}
        </Button>
      )}
      {isPhone ? (
        <IconButton look="quiet" label={messages.clear} onClick={onClear}>
          <IconX size={16} aria-hidden />
        </IconButton>
      ) : (
        <Button look="quiet" onClick={onClear}>
          {messages.clear}
        </Button>
      )}
      {kind === 'checks' && (
        <span className={classes.hint}>{messages.ofCanaries(chosen.length, canaryCount(chosen))}</span>
      )}
    </div>
  );
}

/** See the head of this file. */
export function BulkBar(props: BulkProps) {
  const { kind, chosen } = props;
  const { bulk, direct, isHeld, isSaving, ask } = useDo(props);
  const isReachable = useReachable();
  const [asking, setAsking] = useState<BulkVerb | null>(null);
  const allowed = useBulkVerbs(kind);
  const verbs =
    kind === 'integrations'
      ? sharedVerbs(
          allowed,
          chosen.map(({ table }) => table),
        )
      : allowed;
  const isBlocked = isDirect(kind) && !isReachable;
  const press = (verb: BulkVerb) => {
    const asked = askedAtOnce(verb);
    if (asked === null) setAsking(verb);
    else void ask(asked);
  };
  if (chosen.length === 0 && bulk.report === null && direct.report === null) return null;
  return (
    <section className={classes.bar} aria-label={messages.region}>
      {chosen.length === 0 && <Outcome bulk={bulk} direct={direct} isHeld={isHeld} />}
      {chosen.length > 0 && (
        <>
          <ChosenLine {...props} />
          <div className={classes.verbs}>
            {verbs.map((verb) => (
              <Button
                key={verb}
                disabled={isSaving || isBlocked || direct.isRunning}
                title={isBlocked ? messages.needsServer : undefined}
                onClick={() => press(verb)}
              >
                {messages.verb(verb)}
              </Button>
            ))}
            {isSaving && <span role="status">{messages.report.saving}</span>}
          </div>
        </>
      )}
      {asking !== null && (
        <Ask
          verb={asking}
          kind={kind}
          chosen={chosen}
          onAsk={(asked) => {
            setAsking(null);
            void ask(asked);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}
