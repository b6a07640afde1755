/** Full screens of the gate: what a person sees instead of the app, and the way on. */
import {
  IconAlertOctagon,
  IconBan,
  IconClock,
  IconCloudOff,
  IconMapOff,
  IconToggleLeft,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button, buttonClass } from '../../ui/actions/Button.tsx';
import { ProductMark } from '../../ui/marks/ProductMark.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { messages } from '../messages.ts';
import classes from './gate.module.css';

const words = messages.gate;
const ICON = { size: 36, stroke: 1.3 };

/** Leads home. */
export function BackLink() {
  return (
    <AppLink href="/" className={buttonClass('outline')}>
      {words.goBack}
    </AppLink>
  );
}

/** The frame of the app before it is known who is here. */
export function StartingScreen() {
  return (
    <div className={classes.skeleton}>
      <div className={classes.bar}>
        <ProductMark />
        {messages.product}
      </div>
      <SkeletonRows text={words.starting} />
    </div>
  );
}

/** The organisation's backend is being made. */
export function ProvisioningScreen() {
  return (
    <main className={classes.screen}>
      <StateNote level={1} role="status" title={words.provisioning} icon={<IconClock {...ICON} />} />
    </main>
  );
}

/** The server couldn't say who is signed in, and nobody is remembered. */
export function SessionFailedScreen({ error, onRetry }: { error: ErrorFacts; onRetry: () => void }) {
  return (
    <main className={classes.screen}>
      <StateNote
        level={1}
        role="alert"
        title={words.failed}
        icon={<IconAlertOctagon {...ICON} />}
        actions={
          <>
            <BackLink />
            <Button look="primary" onClick={onRetry}>
              {words.retry}
            </Button>
          </>
        }
      >
        <p>{words.errorText(error)}</p>
      </StateNote>
    </main>
  );
}

/** `/error?error_code=` (spec 1 §8). */
export function ErrorCodeScreen({ code, actions }: { code: string; actions?: ReactNode }) {
  return (
    <main className={classes.screen}>
      <StateNote
        level={1}
        role="alert"
        title={words.errorTitle}
        icon={<IconAlertOctagon {...ICON} />}
        actions={
          <>
            <BackLink />
            {actions}
          </>
        }
      >
        <p>{code === 'BAD_SESSION' ? words.badSession : words.unknownError}</p>
      </StateNote>
    </main>
  );
}

/** A page that this user's roles don't open. */
export function UnauthorizedScreen() {
  return (
    <StateNote level={1} title={words.unauthorized} icon={<IconBan {...ICON} />} actions={<BackLink />}>
      <p>{words.unauthorizedHint}</p>
    </StateNote>
  );
}

/** Switched off is not the same as not there, and not the user's fault. */
export function DisabledScreen({ title }: { title: string }) {
  return (
    <StateNote
      level={1}
      title={words.disabled(title)}
      icon={<IconToggleLeft {...ICON} />}
      actions={<BackLink />}
    >
      <p>{words.disabledHint}</p>
    </StateNote>
  );
}

/** An address that leads nowhere, or to what is switched off. */
export function NotFoundScreen() {
  return (
    <StateNote level={1} title={words.notFound} icon={<IconMapOff {...ICON} />} actions={<BackLink />}>
      <p>{words.notFoundHint}</p>
    </StateNote>
  );
}

/** The same where there is no shell around it. */
export function NotFoundPage() {
  return (
    <main className={classes.screen}>
      <NotFoundScreen />
    </main>
  );
}

/** An integration of a type that there isn't (spec 2 §2). */
export function UnknownTypeScreen() {
  return (
    <StateNote
      level={1}
      title={words.unknownType}
      icon={<IconMapOff {...ICON} />}
      actions={
        <AppLink href="/settings/integrations" className={buttonClass('outline')}>
          {words.toIntegrations}
        </AppLink>
      }
    >
      <p>{words.unknownTypeHint}</p>
    </StateNote>
  );
}

interface CrashedScreenProps {
  /** The reason is a file that could not be loaded. */
  isPartMissing: boolean;
  onRetry: () => void;
}

/** A page that broke; the rest of the app still stands. */
export function CrashedScreen({ isPartMissing, onRetry }: CrashedScreenProps) {
  return (
    <StateNote
      level={1}
      role="alert"
      title={isPartMissing ? ui.partMissingTitle : words.crashed}
      icon={isPartMissing ? <IconCloudOff {...ICON} /> : <IconAlertOctagon {...ICON} />}
      actions={
        <>
          <BackLink />
          <Button look="primary" onClick={onRetry}>
            {words.retry}
          </Button>
        </>
      }
    >
      {isPartMissing && <p>{words.partMissingHint}</p>}
    </StateNote>
  );
}
