/**
 * React's own scheduler and commits for hooks, without a document: components that draw nothing need none. What the
 * browser would call from an event is called through `press`, so that it has an event's urgency.
 */
import { createElement, type ComponentType } from 'react';

/** As much of an element and its window as `createRoot` touches for a tree that draws nothing. */
function emptyContainer(): Element {
  const listens = { addEventListener: () => {}, removeEventListener: () => {} };
  const document = { nodeType: 9, ...listens };
  return { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', ownerDocument: document, ...listens } as never;
}

/** Turns of the event loop; what React's scheduler leaves takes one or two. */
const TURNS = 10;

export interface HeadlessRoot {
  /** Does it as the handler of a discrete event does. */
  press: (handle: () => void) => void;
  /** Resolves when nothing of React's is still to be done. */
  unmount: () => Promise<void>;
}

/** Draws a component that answers null. */
export async function headlessRoot(component: ComponentType): Promise<HeadlessRoot> {
  const window: { event?: { type: string }; HTMLIFrameElement: unknown } = { HTMLIFrameElement: class {} };
  Object.assign(globalThis, { window });
  const { createRoot } = await import('react-dom/client');
  const root = createRoot(emptyContainer());
  root.render(createElement(component));
  return {
    press(handle) {
      window.event = { type: 'click' };
      handle();
      delete window.event;
    },
    async unmount() {
      root.unmount();
      // React's scheduler has tasks of its own left, and looks for a window in them.
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
      Reflect.deleteProperty(globalThis, 'window');
    },
  };
}
