import { expect, it } from 'vitest';
import { agentState, clockOf, clusterReach } from './agent-state.ts';

const SEEN = '2026-01-31T12:00:00.000Z';
const after = (ms: number) => Date.parse(SEEN) + ms;

it('an agent is online for 61 seconds after it was heard, by the clock that is handed in', () => {
  expect(agentState(SEEN, after(60_999), after(60_999))).toBe('online');
  expect(agentState(SEEN, after(61_000), after(61_000))).toBe('offline');
  expect(agentState(null, after(0), after(0))).toBe('never');
});

it('a device that has not heard of the server since cannot say that an agent is gone', () => {
  expect(agentState(SEEN, after(80_000), after(20_000))).toBe('offline');
  expect(agentState(SEEN, after(81_000), after(20_000))).toBe('unknown');
  // It was gone already when the server was heard last.
  expect(agentState(SEEN, after(900_000), after(70_000))).toBe('offline');
});

it('a clock is right within what a call takes', () => {
  expect([clockOf(1999), clockOf(-1999), clockOf(2000), clockOf(-5000)]).toEqual([
    'even',
    'even',
    'ahead',
    'behind',
  ]);
});

it('a cluster is reached while a server has the line of an agent that is online', () => {
  const line = { server: 'a', lastOffered: SEEN };
  expect(clusterReach(line, 'online')).toBe('reached');
  expect(clusterReach({ ...line, server: null }, 'online')).toBe('away');
  expect(clusterReach(line, 'offline')).toBe('away');
  expect(clusterReach(line, 'unknown')).toBe('unknown');
  expect(clusterReach({ server: null, lastOffered: null }, 'online')).toBe('none');
});
