import { describe, expect, it } from 'vitest';
import { OFFLINE_TEXT } from '../../../src/contract/errors.ts';
import { createDeviceLink } from './device-link.ts';
import type { EventHandlers } from '../platform.ts';

function network() {
  const opened: EventHandlers[] = [];
  const closed: number[] = [];
  return {
    opened,
    closed,
    fetch: (_url: string, init: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        setTimeout(() => resolve(new Response('ok')), 20);
      }),
    openEvents(_url: string, _names: readonly string[], handlers: EventHandlers) {
      opened.push(handlers);
      return { close: () => void closed.push(opened.indexOf(handlers)) };
    },
  };
}

const handlersOf = (log: string[]): EventHandlers => ({
  onOpen: () => void log.push('open'),
  onEvent: () => void log.push('event'),
  onError: () => void log.push('error'),
});

describe('the device link', () => {
  it('lets requests through while the device is online', async () => {
    const link = createDeviceLink(network());
    expect(await (await link.fetch('/x', {})).text()).toBe('ok');
  });

  it('offline, a request fails at once as a network that is not there', async () => {
    const link = createDeviceLink(network());
    link.setOnline(false);
    await expect(link.fetch('/x', {})).rejects.toMatchObject({ code: 'network', message: OFFLINE_TEXT });
  });

  it('a request under way ends as a lost network when the device goes offline', async () => {
    const link = createDeviceLink(network());
    const answer = link.fetch('/x', {});
    link.setOnline(false);
    await expect(answer).rejects.toMatchObject({ code: 'network', message: OFFLINE_TEXT });
  });

  it('a request that its caller gave up stays the caller’s own abort', async () => {
    const link = createDeviceLink(network());
    const own = new AbortController();
    const answer = link.fetch('/x', { signal: own.signal });
    own.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('going offline ends a stream, and one opened meanwhile opens when the device is back', () => {
    const net = network();
    const link = createDeviceLink(net);
    const log: string[] = [];
    link.openEvents('/events', [], handlersOf(log));
    link.setOnline(false);
    expect(log).toEqual(['error']);
    expect(net.closed).toEqual([0]);
    link.openEvents('/events', [], handlersOf(log));
    expect(net.opened).toHaveLength(1);
    link.setOnline(true);
    expect(net.opened).toHaveLength(2);
  });

  it('a stream that was closed while offline does not open again', () => {
    const net = network();
    const link = createDeviceLink(net);
    link.setOnline(false);
    link.openEvents('/events', [], handlersOf([])).close();
    link.setOnline(true);
    expect(net.opened).toHaveLength(0);
  });
});
