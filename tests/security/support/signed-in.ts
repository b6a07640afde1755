/** For tests only: browsers that are signed in, one for each role. */
import { openTestBrowser } from './test-browser.ts';
import type { TestBrowser } from './test-browser.ts';
import { PASSWORD } from './test-server.ts';
import type { TestServer } from './test-server.ts';

export interface SignedIn {
  browser: TestBrowser;
  email: string;
  id: string;
}

/** Makes an account with these roles and signs it in. */
export async function signInAs(server: TestServer, ...roles: string[]): Promise<SignedIn> {
  const account = await server.account(...roles);
  const browser = openTestBrowser(server.url);
  const answer = await browser.signIn(account.email, PASSWORD);
  if (answer.status !== 200) throw new Error(`no sign-in: ${answer.status} ${await answer.text()}`);
  return { browser, ...account };
}
