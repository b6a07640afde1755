/**
 * Written into the document's head (scripts/inline-scripts.ts): says whether a first frame is stored for this address, by
 * which the document decides how the app's script is started.
 */
import { storedKeys } from '../data/client/platform-first-visit.ts';
import { isFrameStored } from '../data/client/windows/first-frame.ts';

Object.assign(globalThis, { holdfastHasFrame: isFrameStored(storedKeys(), location) });
