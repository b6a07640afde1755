/**
 * What a test file leaves to the next one of its process: nothing. Files of the project `unit` share processes, because
 * starting one takes longer than most of them do.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
