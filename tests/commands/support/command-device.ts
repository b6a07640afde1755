/** For tests only: a signed-in device that numbers its commands as the contract asks. */
import { randomUUID } from 'node:crypto';
import { commandAnswerSchema } from '../../../src/contract/sync.ts';
import type { CommandAnswer, CommandEnvelope, CommandOutcome } from '../../../src/contract/sync.ts';
import { openTestBrowser } from '../../security/support/test-browser.ts';
import type { TestBrowser } from '../../security/support/test-browser.ts';
import { PASSWORD } from '../../security/support/test-server.ts';
import type { TestServer } from '../../security/support/test-server.ts';

export type Draft = { name: string; args: unknown } & Partial<CommandEnvelope>;

export interface CommandDevice {
  browser: TestBrowser;
  personId: string;
  deviceId: string;
  /** Numbers drafts without sending them. */
  number(...drafts: Draft[]): CommandEnvelope[];
  post(commands: readonly CommandEnvelope[], deviceId?: string): Promise<Response>;
  answer(commands: readonly CommandEnvelope[]): Promise<CommandAnswer>;
  /** Numbers and sends one command; answers what became of it. */
  send(draft: Draft): Promise<CommandOutcome>;
  /** Sends and expects all to be applied. */
  apply(...drafts: Draft[]): Promise<void>;
  /** Another device of the same person. */
  twin(): CommandDevice;
}

export const id = (): string => randomUUID();

function deviceOf(browser: TestBrowser, personId: string): CommandDevice {
  const deviceId = id();
  let seq = 0;
  const post: CommandDevice['post'] = (commands, as = deviceId) =>
    browser.post('/api/sync/commands', { deviceId: as, commands });
  const number: CommandDevice['number'] = (...drafts) =>
    drafts.map((draft) => {
      seq += 1;
      return { seq, commandId: id(), version: 1, basedOn: null, expiresAt: null, ...draft };
    });
  async function answer(commands: readonly CommandEnvelope[]): Promise<CommandAnswer> {
    const response = await post(commands);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return commandAnswerSchema.parse(await response.json());
  }
  async function send(draft: Draft): Promise<CommandOutcome> {
    const { results } = await answer(number(draft));
    const [result] = results;
    if (result === undefined) throw new Error('no result');
    return result.outcome;
  }
  return {
    browser,
    personId,
    deviceId,
    number,
    post,
    answer,
    send,
    async apply(...drafts) {
      const { results } = await answer(number(...drafts));
      const other = results.find((result) => result.outcome.kind !== 'applied');
      if (other !== undefined || results.length !== drafts.length) throw new Error(JSON.stringify(results));
    },
    twin: () => deviceOf(browser, personId),
  };
}

export async function openDevice(server: TestServer, ...roles: string[]): Promise<CommandDevice> {
  const account = await server.account(...roles);
  const browser = openTestBrowser(server.url);
  await browser.signIn(account.email, PASSWORD);
  return deviceOf(browser, account.id);
}
