import { screenAccess, screenAt, type Viewer } from './screens.ts';

/** Whether links to the screen of that route are shown. */
export function mayOpen(path: string, viewer: Viewer): boolean {
  const screen = screenAt(path);
  return screen !== undefined && screenAccess(screen, viewer) === 'open';
}
