/** The kubeconfig file (spec 1 §2): made by the server when asked for, never kept on this device. */
import { IconFileDownload } from '@tabler/icons-react';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { kubeconfigFileName } from '../../../domain/access/kubeconfig.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../../ui/actions/Button.tsx';
import { CopyButton } from '../../../ui/feedback/CopyButton.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { messages as words } from './messages.ts';
import classes from '../shell.module.css';

/** Without a connection it says why there is no file now. */
export function KubeconfigModal({ onClose }: { onClose: () => void }) {
  const { connection } = useSyncStatus();
  const device = useDevice();
  const command = words.command(kubeconfigFileName(new URL(device.addressOf('/')).hostname));
  const isDown = connection === 'offline' || connection === 'server-unreachable';
  const label = (
    <>
      <IconFileDownload size={16} aria-hidden />
      {words.download}
    </>
  );
  return (
    <Sheet label={words.title} side="center" hasTitle onClose={onClose}>
      <div className={classes.leave}>
        <p>{words.what}</p>
        <p className={classes.leaveNote}>{words.secret}</p>
        {isDown ? (
          <>
            <Button look="primary" disabled aria-describedby="kubeconfig-offline">
              {label}
            </Button>
            <p id="kubeconfig-offline" role="status">
              {words.offline}
            </p>
          </>
        ) : (
          <a
            href={links.kubeconfigFile()}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('primary')}
          >
            {label}
          </a>
        )}
        <p>{words.use}</p>
        <pre className={classes.command} tabIndex={0}>
          {command}
        </pre>
        <CopyButton text={command} />
        <AppLink href={links.kubeconfigHelp()} onClick={onClose}>
          {words.docs}
        </AppLink>
      </div>
    </Sheet>
  );
}
