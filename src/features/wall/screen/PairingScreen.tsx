/** What a screen shows that nobody has paired: a code, and how it is confirmed. It asks by itself until it is. */
import { Suspense, useEffect, useState } from 'react';
import { claimAnswerSchema, pairingSchema, type Pairing } from '../../../contract/http/walls.ts';
import { callIdentity, checkSession } from '../../../data/commands/commands.ts';
import { keepScreenOn, repeat } from '../../../data/device/platform-wall.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useDevice, type Device } from '../../../ui/Device.tsx';
import { lazyPart, Nothing } from '../../../ui/page/lazy-part.tsx';
import { messages } from '../messages.ts';
import classes from './pairing.module.css';
import { jsonOrNull } from '../../../lib/json-or-null.ts';

const words = messages.pairing;
const ASK_EVERY_MS = 2000;
/** Good for nothing once the screen has its session or it is ten minutes old. */
const SHOWN_KEY = 'wallPairing';
const QrCode = lazyPart(async () => (await import('./QrCode.tsx')).QrCode, Nothing);

type Found = { pairing: Pairing | null; isReached: boolean };

async function newPairing(): Promise<Found> {
  const answer = await callIdentity({ do: 'start-pairing' });
  if (!answer.ok) return { pairing: null, isReached: false };
  const parsed = pairingSchema.safeParse(answer.value.body);
  return { pairing: parsed.success ? parsed.data : null, isReached: parsed.success };
}

/** The pairing that is to be shown next, after the server was asked about this one. */
async function asked(pairing: Pairing | null): Promise<Found> {
  if (pairing === null) return newPairing();
  const answer = await callIdentity({ do: 'claim-pairing', secret: pairing.secret });
  if (!answer.ok) return { pairing, isReached: false };
  const parsed = claimAnswerSchema.safeParse(answer.value.body);
  if (!parsed.success || parsed.data.state === 'expired') return newPairing();
  if (parsed.data.state === 'waiting') return { pairing, isReached: true };
  const session = await checkSession();
  // It is asked for again where the browser has none: an answer may have been lost.
  const hasSession = session.ok && session.value;
  return { pairing: hasSession ? null : pairing, isReached: session.ok };
}

/** What this screen showed before it was loaded again: somebody may have confirmed it meanwhile. */
function shownBefore(device: Device): Pairing | null {
  const shown = pairingSchema.safeParse(jsonOrNull(device.readSetting(SHOWN_KEY)));
  return shown.success ? shown.data : null;
}

function usePairing(): Found | null {
  const device = useDevice();
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let now = shownBefore(device);
    return repeat(ASK_EVERY_MS, async () => {
      const next = await asked(now);
      now = next.pairing;
      device.writeSetting(SHOWN_KEY, JSON.stringify(now));
      setFound(next);
    });
  }, [device]);
  return found;
}

function Code({ pairing }: { pairing: Pairing }) {
  const device = useDevice();
  return (
    <div className={classes.code}>
      <Suspense fallback={null}>
        <QrCode text={device.addressOf(links.walls(pairing.code))} label={words.qr} />
      </Suspense>
      <p>
        <span>{words.code}</span>
        <strong data-testid="pairing-code">{pairing.code}</strong>
      </p>
    </div>
  );
}

/** Shown at /wall to nobody in particular. */
export function PairingScreen() {
  const found = usePairing();
  useEffect(keepScreenOn, []);
  const pairing = found?.pairing ?? null;
  return (
    <main className={classes.page}>
      <h1>{words.title}</h1>
      {pairing === null ? <p role="status">{words.asking}</p> : <Code pairing={pairing} />}
      {found?.isReached === false && <p role="alert">{words.unreachable}</p>}
      <ol>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className={classes.small}>
        {words.renewed} <AppLink href={links.login(links.wall())}>{words.signIn}</AppLink>
      </p>
    </main>
  );
}
