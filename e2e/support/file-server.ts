/** The server of a test file: there from its first test to its last. */
import { test } from '@playwright/test';
import { startWithRoles } from './accounts.ts';
import { prepareServer, type HoldfastServer, type ServerOptions } from './holdfast-server.ts';

/** A start beside other tests, of a server that fills itself with the demo. */
const START_MS = 300_000;

/**
 * Called once at the head of a test file; the server can be used in its tests and in the hooks behind the call. With roles
 * there is an account of each (`accountOf`).
 */
export function fileServer({
  roles,
  ...options
}: ServerOptions & { roles?: readonly string[] } = {}): HoldfastServer {
  let started: HoldfastServer | null = null;
  const server = () => {
    if (started === null) throw new Error('The server is there from the first test on');
    return started;
  };
  test.beforeAll(async () => {
    test.setTimeout(START_MS);
    started = await prepareServer(options);
    await (roles === undefined ? started.start() : startWithRoles(started, roles));
  });
  test.afterAll(() => started?.dispose());
  return {
    get url() {
      return server().url;
    },
    get dataDir() {
      return server().dataDir;
    },
    start: () => server().start(),
    kill: () => server().kill(),
    stop: () => server().stop(),
    dispose: () => server().dispose(),
    output: () => server().output(),
    pid: () => server().pid(),
  };
}
