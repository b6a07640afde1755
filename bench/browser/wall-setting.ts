/** A paired wall that looks at an estate which changes, for the parts of the benchmark that measure walls. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { WallSettings } from '../../src/contract/http/walls.ts';
import { freePort } from '../../tests/security/support/free-port.ts';
import { treeMb } from '../core/machine.ts';
import { withApp, withBrowser } from './app.ts';

/** The check that is turned by hand. */
export const FLIP = 'flip-check';
const CHANGING = 40;
/** Each of them fails in one of so many periods. */
const PERIOD_MS = 20_000;
const FAILS_ONE_IN = 17;
const SOON_MS = 120_000;
const BOARD_ID = '0190a1b2-0000-7000-8000-00000000000';

export interface Wall {
  page: Page;
  context: BrowserContext;
  /** Through a proxy that brings an administrator's session along. */
  adminUrl: string;
  /** Of the check that is turned by hand. */
  answer: (status: number) => void;
  /** What the browser's renderers hold more than those of an empty page, MB. */
  tabMb: () => number;
  /** What the server has logged. */
  output: () => string;
}

export interface WallOptions {
  seed?: Record<string, number>;
  /** How often the changing checks run, as in a canary. */
  every: string;
  /** The same of the check that is turned by hand: the hour of its chart fills by so many points. */
  flipEvery?: string;
  env?: Record<string, string>;
  /** Runs in the screen's pages before their own scripts. */
  inPage?: string;
  /** What the screen opens instead of the server, given the server's address. */
  through?: (serverUrl: string) => Promise<{ url: string; stop: () => Promise<void> }>;
}

/** Of the renderers: tabs and shared workers. */
export const rendererMb = () => treeMb(process.pid, (command) => command.includes('--type=renderer'));

async function startTargets() {
  let flipStatus = 200;
  const port = await freePort();
  const server = createServer((request, response) => {
    const number = Number(request.url?.slice(1));
    const period = Math.floor(Date.now() / PERIOD_MS);
    const isFailing = (number * 7 + period) % FAILS_ONE_IN === 0;
    response.writeHead(Number.isNaN(number) ? flipStatus : isFailing ? 500 : 200).end('hello');
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    answer: (status: number) => void (flipStatus = status),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function writeCanaries(dir: string, url: string, { every, flipEvery = '@every 1s' }: WallOptions): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const canary = (name: string, schedule: string, checks: string) =>
    writeFileSync(
      `${dir}/${name}.yaml`,
      `apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata: { name: ${name} }\nspec:\n  schedule: "${schedule}"\n  http: [${checks}]\n`,
    );
  canary('flip', flipEvery, `{ name: ${FLIP}, url: "${url}/flip" }`);
  const changing = Array.from(
    { length: CHANGING },
    (_, at) => `{ name: changing-${at}, url: "${url}/${at}" }`,
  );
  canary('changing', every, changing.join(', '));
}

/** What an administrator sends; throws when it is refused. */
async function send(method: string, address: string, body: object): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    headers: { 'content-type': 'application/json', origin: new URL(address).origin },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
  return text === '' ? null : (JSON.parse(text) as unknown);
}

/** A row of the check as the server has it. */
export async function checkRow(
  adminUrl: string,
  name: string,
): Promise<{ id: string; last_transition_time: string }> {
  const deadline = performance.now() + SOON_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(`${adminUrl}/api/db/checks?name=eq.${name}&select=id,last_transition_time`);
    const [row] = (await answer.json()) as { id: string; last_transition_time: string }[];
    if (row !== undefined) return row;
    await new Promise((settle) => setTimeout(settle, 500));
  }
  throw new Error(`${name} never ran`);
}

/** Boards with every kind of tile, so that whatever grows is found in one of them. */
async function makeBoards(adminUrl: string): Promise<string[]> {
  const checkId = (await checkRow(adminUrl, FLIP)).id;
  const cells = (x: number, y: number, w: number, h: number) => ({ id: `${x}-${y}`, x, y, w, h });
  const boards = [
    [
      { ...cells(0, 0, 4, 4), kind: 'check', checkId },
      { ...cells(4, 0, 4, 4), kind: 'number', of: 'unhealthy' },
      { ...cells(8, 0, 4, 4), kind: 'clock', zones: ['UTC', 'Asia/Tokyo'] },
      { ...cells(0, 4, 8, 4), kind: 'health', groupBy: 'canary_name' },
      { ...cells(8, 4, 4, 4), kind: 'incidents' },
    ],
    [
      { ...cells(0, 0, 6, 8), kind: 'health', groupBy: 'none' },
      { ...cells(6, 0, 6, 4), kind: 'topology', rootId: null },
      { ...cells(6, 4, 6, 4), kind: 'changes' },
    ],
  ];
  const ids = boards.map((_, at) => `${BOARD_ID}${at + 1}`);
  for (const [at, tiles] of boards.entries())
    await send('POST', `${adminUrl}/api/walls/boards/${ids[at] ?? ''}`, { name: `Board ${at + 1}`, tiles });
  return ids;
}

/** Shows its code, is confirmed, and waits for the board. */
async function pair(page: Page, url: string, adminUrl: string): Promise<string> {
  await page.goto(`${url}/wall`);
  const code = await page.getByTestId('pairing-code').textContent({ timeout: SOON_MS });
  const made = (await send('POST', `${adminUrl}/api/walls`, { code, name: 'Measured' })) as { id: string };
  await page.locator('[data-testid=wall][data-stale=false]').waitFor({ timeout: SOON_MS });
  return made.id;
}

/** Shows these boards in turn. */
export async function showBoards(
  { adminUrl, page }: Pick<Wall, 'adminUrl' | 'page'>,
  wallId: string,
  shown: { boards: readonly string[]; rotateSeconds: number } & Partial<WallSettings>,
): Promise<void> {
  const settings = { staleSeconds: 20, hasSound: true, hasSpeech: true, ...shown };
  await send('PATCH', `${adminUrl}/api/walls/${wallId}`, { settings });
  await page.locator('[data-testid=wall] section[data-kind=check]').first().waitFor({ timeout: SOON_MS });
}

/** Runs the work with a wall of its own. */
export async function withWall(
  options: WallOptions,
  work: (wall: Wall, facts: { wallId: string; boards: string[] }) => Promise<void>,
): Promise<void> {
  const targets = await startTargets();
  const dir = resolve('.tmp/bench/wall-canaries');
  writeCanaries(dir, targets.url, options);
  const env = { CANARIES_DIR: dir, ...options.env };
  try {
    await withApp({ seed: options.seed ?? {}, env }, async ({ url: adminUrl, server }) => {
      const way = await options.through?.(server.url);
      try {
        await withBrowser(async (page, context) => {
          if (options.inPage !== undefined) await context.addInitScript(options.inPage);
          await page.setViewportSize({ width: 1920, height: 1080 });
          await page.goto('about:blank');
          await page.waitForTimeout(1000);
          const blankMb = rendererMb();
          const boards = await makeBoards(adminUrl);
          const wallId = await pair(page, way?.url ?? server.url, adminUrl);
          const tabMb = () => rendererMb() - blankMb;
          const wall = {
            page,
            context,
            adminUrl,
            answer: targets.answer,
            tabMb,
            output: () => server.output(),
          };
          await work(wall, { wallId, boards });
        });
      } finally {
        await way?.stop();
      }
    });
  } finally {
    await targets.stop();
  }
}
