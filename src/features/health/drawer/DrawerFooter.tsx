import { IconExternalLink, IconPencil, IconPlayerPlay, IconShare } from '@tabler/icons-react';
import { useState } from 'react';
import type { CheckDetail } from '../../../contract/queries/check-queries.ts';
import type { CheckView } from '../../../contract/worker.ts';
import { runCheck } from '../../../data/commands/commands.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import type { Check } from '../../../domain/check/check.ts';
import type { HealthState } from '../../../domain/check/health.ts';
import { draftOfCheck } from '../../../domain/incident/evidence-snapshot.ts';
import { links } from '../../../domain/links.ts';
import { isEditable } from '../../../domain/settings/resource-source.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { AttachButton } from '../../../ui/page/AttachEvidence.tsx';
import { PlaybooksButton } from '../../../ui/page/Playbooks.tsx';
import { SilenceButton } from '../../../ui/page/Silences.tsx';
import { Button, buttonClass } from '../../../ui/actions/Button.tsx';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import classes from './drawer.module.css';
import { DrawerLogs } from './DrawerLogs.tsx';
import { messages } from './messages.ts';

type RunState =
  | { kind: 'idle' }
  | { kind: 'running' }
  | { kind: 'done'; text: string; state: HealthState | null };

/** Runs the check and tells how it went, until the drawer closes. */
function useRunNow(checkId: string): { run: RunState; start: () => void } {
  const [run, setRun] = useState<RunState>({ kind: 'idle' });
  const start = () => {
    setRun({ kind: 'running' });
    void runCheck(checkId).then((answer) => {
      if (!answer.ok) {
        setRun({ kind: 'done', text: messages.errorText(answer.error), state: 'warning' });
        return;
      }
      const result = answer.value;
      if (result !== null && result.not_run_reason !== null) {
        setRun({ kind: 'done', text: messages.notRun(result.not_run_reason), state: 'unknown' });
      } else if (result === null) setRun({ kind: 'done', text: messages.ranNothing, state: null });
      else {
        const text = messages.ran(result.pass, formatDuration(result.duration));
        setRun({ kind: 'done', text, state: result.pass ? 'healthy' : 'unhealthy' });
      }
    });
  };
  return { run, start };
}

/** Why a run can't be asked for now; null when it can. */
function useRefusal(mayRun: boolean): string | null {
  const { connection } = useSyncStatus();
  if (!mayRun) return messages.runForbidden;
  return connection === 'offline' || connection === 'server-unreachable' ? messages.runOffline : null;
}

function ShareButton({ check }: { check: Check }) {
  const device = useDevice();
  const url = device.addressOf(links.check(check.id));
  const { share } = device;
  if (share === null) return <CopyButton text={url} label={messages.share} kind="link" />;
  return (
    <Button onClick={() => void share({ title: check.name, url })}>
      <IconShare size={15} aria-hidden />
      {messages.share}
    </Button>
  );
}

interface DrawerFooterProps {
  view: CheckView;
  detail: CheckDetail | null;
  mayRun: boolean;
  mayEdit: boolean;
}

/** What can be done with the check. */
export function DrawerFooter({ view, detail, mayRun, mayEdit }: DrawerFooterProps) {
  const { check, health } = view;
  const { run, start } = useRunNow(check.id);
  const refusal = useRefusal(mayRun);
  // What comes from a file is changed there, and who may not change it can still look at it.
  const isOurs = isEditable({ ...detail?.canaries, agent: detail?.agents });
  const canEdit = mayEdit && isOurs;
  const Icon = canEdit ? IconPencil : IconExternalLink;
  return (
    <footer className={classes.footer}>
      <span className={classes.result} role="status">
        {run.kind === 'done' && run.state !== null && <HealthMark state={run.state} />}
        {run.kind === 'done' ? run.text : (refusal ?? '')}
      </span>
      <PlaybooksButton resource={{ kind: 'check', id: check.id, name: check.name }} />
      <AttachButton
        draft={() => draftOfCheck({ ...check, health: health.state, latencyMs: check.latency.p95 })}
      />
      <SilenceButton kind="check" id={check.id} />
      <DrawerLogs checkId={check.id} />
      <ShareButton check={check} />
      <AppLink href={links.canarySettings(check.canary_id)} className={buttonClass('outline')}>
        <Icon size={15} aria-hidden />
        {canEdit ? messages.edit : messages.source}
      </AppLink>
      <Button
        look="primary"
        disabled={refusal !== null || run.kind === 'running'}
        title={refusal ?? undefined}
        onClick={start}
      >
        <IconPlayerPlay size={15} aria-hidden />
        {run.kind === 'running' ? messages.running : messages.runNow}
      </Button>
    </footer>
  );
}
