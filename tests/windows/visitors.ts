/** People of several roles who ask for a first visit, and one who is nobody. */
import { expect } from 'vitest';
import {
  firstVisitAddress,
  type FirstVisit,
  type ServedQuestion,
} from '../../src/contract/http/first-visit.ts';
import { openTestBrowser, type TestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, type TestServer } from '../security/support/test-server.ts';

export interface Visitors {
  /** Signed in with that role; somebody who is not for any other name. */
  as: (role: string) => TestBrowser;
  /** The id of the person with that role. */
  idOf: (role: string) => string;
}

/** Makes an account of each role and signs it in. */
export async function signInVisitors(server: TestServer, roles: readonly string[]): Promise<Visitors> {
  const people = new Map<string, { id: string; browser: TestBrowser }>();
  for (const role of roles) {
    const { id, email } = await server.account(role);
    const browser = openTestBrowser(server.url);
    await browser.signIn(email, PASSWORD);
    people.set(role, { id, browser });
  }
  return {
    as: (role) => people.get(role)?.browser ?? openTestBrowser(server.url),
    idOf: (role) => people.get(role)?.id ?? '',
  };
}

/** What a first visit is told. */
export async function visit(browser: TestBrowser, question: ServedQuestion | null): Promise<FirstVisit> {
  const answer = await browser.get(firstVisitAddress(question));
  expect(answer.status).toBe(200);
  // The route's own type.
  return (await answer.json()) as FirstVisit;
}
