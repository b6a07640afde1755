/** Every address of the app, and how its query is read. */
import { createRouter } from '@tanstack/react-router';
import { CrashedScreen, NotFoundPage } from './gate/screens.tsx';
import { isPartMissing, retryAfterCrash } from './platform.ts';
import { administrationRoutes } from './routes/administration-routes.tsx';
import {
  homeRoute,
  notFoundRoute,
  rootRoute,
  settingsHomeRoute,
  shellRoute,
  standaloneRoute,
} from './routes/base-routes.tsx';
import { catalogItemRoutes } from './routes/catalog-item-routes.tsx';
import { catalogListRoutes } from './routes/catalog-list-routes.tsx';
import { entryRoutes } from './routes/entry-routes.tsx';
import { mainRoutes, standaloneRoutes } from './routes/main-routes.tsx';
import { redirectRoutes } from './routes/redirect-routes.tsx';
import { settingsRoutes } from './routes/settings-routes.tsx';
import { wallRoute } from './routes/wall-routes.tsx';

const routeTree = rootRoute.addChildren([
  ...entryRoutes,
  ...redirectRoutes,
  wallRoute,
  standaloneRoute.addChildren([...standaloneRoutes]),
  shellRoute.addChildren([
    homeRoute,
    settingsHomeRoute,
    notFoundRoute,
    ...mainRoutes,
    ...catalogItemRoutes,
    ...catalogListRoutes,
    ...settingsRoutes,
    ...administrationRoutes,
  ]),
]);

/** Plain texts in the query string, as the spec's links have them; each route parses its own. */
export const router = createRouter({
  routeTree,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultErrorComponent: ({ error, reset }) => (
    <CrashedScreen isPartMissing={isPartMissing(error)} onRetry={() => retryAfterCrash(error, reset)} />
  ),
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
