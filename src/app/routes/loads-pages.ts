import type { ReactNode } from 'react';

/** A page in a file of its own, as the router makes it. */
interface LazyPage {
  preload?: () => Promise<void> | undefined;
}

/**
 * A route's component that draws these pages: the router loads their files as soon as the address is known, instead of
 * only once the component is drawn. A lazy page that is a route's component itself needs none of this.
 */
export function loadsPages<Props>(pages: readonly LazyPage[], Route: (props: Props) => ReactNode) {
  // A page that has been loaded has no `preload` any more.
  const preload = async () => void (await Promise.all(pages.map(async (page) => page.preload?.())));
  return Object.assign(Route, { preload });
}
