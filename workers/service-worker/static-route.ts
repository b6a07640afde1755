/** Where a browser answers requests without the service worker (`InstallEvent.addRoutes`); what a cache lacks comes from the network. */
export interface StaticRoute {
  condition: { urlPattern: string | { pathname: string; search: string }; requestMode?: 'navigate' };
  source: 'network' | { cacheName: string };
}
