/** Paints how the page looked last, before any file of the app has run. Nothing in it can be pressed or typed into. */
import { readSettingText, SESSION_KEY } from '../../data/client/platform-first-visit.ts';
import { buildName } from '../../data/client/build-name.ts';
import { readStoredOffset } from '../../data/client/stored-offset.ts';
import { deviceNow, tabletHere } from '../../data/device/platform-tablet.ts';
import { entryKey } from '../../data/client/windows/entry-key.ts';
import { frameName, isFrameOld, readFrame, type FirstFrame } from '../../data/client/windows/first-frame.ts';
import { isSessionUser } from '../../data/session/remembered-session.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';
import { makeNodes } from './frame-nodes.ts';

const CLOCK = {
  now: deviceNow,
  readStored: readSettingText,
  writeStored: () => {},
  report: () => {},
};

function storedFrame(): FirstFrame | null {
  const user = jsonOrNull(readSettingText(SESSION_KEY));
  if (!isSessionUser(user) || tabletHere() !== null) return null;
  const text = readSettingText(entryKey(user, frameName(location)));
  return readFrame(text, { build: buildName(), widthPx: window.innerWidth });
}

/** Those of parts that are loaded later; the paint waits for them. */
function addStyles(paths: readonly string[]): void {
  const known = new Set(
    [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href')),
  );
  for (const path of paths) {
    if (known.has(path) || !path.startsWith('/assets/')) continue;
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = path;
    link.setAttribute('blocking', 'render');
    document.head.append(link);
  }
}

/** False where there is none. */
export function showFirstFrame(root: Element): boolean {
  try {
    const nowMs = deviceNow() + readStoredOffset(CLOCK);
    const frame = storedFrame();
    if (frame === null) return false;
    addStyles(frame.styles);
    const held = document.createElement('div');
    held.style.display = 'contents';
    held.inert = true;
    held.ariaHidden = 'true';
    held.append(makeNodes(frame.nodes, { nowMs, isOld: isFrameOld(frame, nowMs) }));
    root.append(held);
    return true;
  } catch {
    // Storage is blocked, or the frame is not one: the app begins as it would without.
    root.replaceChildren();
    return false;
  }
}
