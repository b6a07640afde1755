import '../ui/theme/tokens.css';
import '../ui/theme/base.css';
import { dataClient } from '../data/client/data-client.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { tabletHere } from '../data/device/platform-tablet.ts';
import { keepZodFromMakingCode } from '../lib/zod-settings.ts';
import { App } from './App.tsx';
import { takeFirstFrame } from './first-frame/take-first-frame.ts';
import { reloadWhenWorkerIsGone } from './platform-gone-worker.ts';
import { router } from './router.tsx';
import { noteMissingParts, watchInstallable } from './platform.ts';

// The first screen does without zod itself.
keepZodFromMakingCode();

/** A page whose files take longer is not waited for. */
const FRAME_MS = 2000;

function start(root: Element): void {
  // As early as can be: where no rows are cached, the workers read the store while the page is put together.
  dataClient();
  watchInstallable();
  noteMissingParts();
  reloadWhenWorkerIsGone(dataClient());
  dataClient().firstWindows.setFrameSource((untilMs) =>
    // While another page is on its way, this is not the page of the address.
    router.state.status === 'idle' ? takeFirstFrame(root, untilMs) : null,
  );
  // The first frame has the page in it, where it needs no other file (decision 0036); a page that is painted already
  // (first-frame/) is there until the app has its own.
  const waitMs = root.hasChildNodes() ? FRAME_MS : 0;
  void Promise.race([
    router.load({ sync: true }),
    new Promise((resolve) => setTimeout(resolve, waitMs)),
  ]).finally(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

async function startTablet(root: Element): Promise<void> {
  const { startShared } = await import('./tablet/start-shared.ts');
  await startShared(root, start);
}

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root');
// A shared tablet shows nothing of anybody, and starts no worker, before somebody showed who he is.
if (tabletHere() === null) start(root);
else void startTablet(root);
