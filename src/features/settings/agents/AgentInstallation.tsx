/**
 * How the agent that was just made is installed, with its token: shown once, kept nowhere, and not closed by mistake
 * before it was copied (spec 1 §2).
 */
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react';
import { useId, useMemo, useState } from 'react';
import {
  commandText,
  containerText,
  fluxDocuments,
  helmText,
  systemdText,
  type AgentInstall,
} from '../../../domain/agents/install-text.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { yamlText } from '../../../ui/code/yaml-text.ts';
import { useCopy } from '../../../ui/feedback/use-copy.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { TabList } from '../../../ui/page/TabList.tsx';
import { messages } from './messages.ts';
import classes from './agents.module.css';

const words = messages.install;
const WAYS = ['helm', 'flux', 'machine', 'systemd', 'container'] as const;
type Way = (typeof WAYS)[number];
const TABS = WAYS.map((key) => ({ key, text: words[key] }));

/** Where what the form asked about telemetry, and how often the cluster is read, has a place. */
const CHARTS: ReadonlySet<Way> = new Set(['helm', 'flux']);

const TEXTS: Readonly<Record<Way, (install: AgentInstall) => string>> = {
  helm: helmText,
  flux: (install) => fluxDocuments(install).map(yamlText).join('---\n'),
  machine: commandText,
  systemd: systemdText,
  container: containerText,
};

function CopyAction({ text, label, onCopied }: { text: string; label: string; onCopied: () => void }) {
  const copy = useCopy();
  return (
    <Button
      onClick={() => {
        copy(text);
        onCopied();
      }}
    >
      <IconCopy size={15} aria-hidden />
      {label}
    </Button>
  );
}

function NextSteps() {
  return (
    <section>
      <h3 className={classes.heading}>{words.next}</h3>
      <ol className={classes.steps}>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}

/** Whoever closes it without having copied anything is asked. */
export function AgentInstallation({ install, onClose }: { install: AgentInstall; onClose: () => void }) {
  const [way, setWay] = useState<Way>('helm');
  const [isCopied, setIsCopied] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const panelId = useId();
  const text = useMemo(() => TEXTS[way](install), [way, install]);
  const isOwnProgram = !CHARTS.has(way);
  const copied = () => setIsCopied(true);
  const leave = () => (isCopied ? onClose() : setIsLeaving(true));
  return (
    <Modal title={words.title} size="medium" onClose={leave}>
      <div className={classes.install} data-unsaved="kept">
        <p role="note" className={classes.warning}>
          <IconAlertTriangle size={18} aria-hidden />
          {words.warning}
        </p>
        <div className={classes.token}>
          <span id={`${panelId}-token`} className={classes.caption}>
            {words.token}
          </span>
          <code aria-labelledby={`${panelId}-token`}>{install.token}</code>
          <CopyAction text={install.token} label={words.copyToken} onCopied={copied} />
        </div>
        <TabList label={words.tabs} tabs={TABS} selected={way} panelId={panelId} onSelect={setWay} />
        <div id={panelId} role="tabpanel" aria-label={words[way]} className={classes.panel}>
          <p>{words.about[way]}</p>
          {isOwnProgram && install.kubernetes !== null && <p>{words.ownCluster}</p>}
          {isOwnProgram && install.telemetry !== null && <p>{words.telemetryOnly}</p>}
          <pre className={classes.text} tabIndex={0} aria-label={words[way]}>
            {text}
          </pre>
          <CopyAction text={text} label={words.copy} onCopied={copied} />
        </div>
        <NextSteps />
        <div className={classes.answers}>
          <Button look="primary" onClick={leave}>
            {words.done}
          </Button>
        </div>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={words.leave.title}
          question={words.leave.question}
          confirm={words.leave.confirm}
          onConfirm={onClose}
          onClose={() => setIsLeaving(false)}
        />
      )}
    </Modal>
  );
}
