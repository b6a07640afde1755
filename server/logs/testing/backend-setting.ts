/** For tests only: what a log backend is asked, and what it is asked with, where this machine may be called. */
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { nodePlatform } from '../../platform/platform.ts';
import type { BackendContext, LogQuestion } from '../backends/log-backend.ts';

/** One moment for a whole file. */
export const NOW = nodePlatform.now();

/** The last hour of a pod's log. */
export const logQuestion = (part: Partial<LogQuestion> = {}): LogQuestion => ({
  id: 'shop/web',
  type: 'Pod',
  namespace: 'shop',
  name: 'app',
  labels: { app: 'web' },
  words: [],
  startMs: NOW - 3_600_000,
  endMs: NOW,
  limit: 100,
  ...part,
});

export const backendContext: BackendContext = {
  signal: new AbortController().signal,
  guard: createServerGuard({ egressAllow: ['127.0.0.1', 'localhost'], egressDeny: [], databaseUrl: null }),
  trust: 'user',
  author: 'granter',
  secret: async (value) => String(value),
  connection: async () => null,
  now: () => NOW,
  logsDir: null,
};
