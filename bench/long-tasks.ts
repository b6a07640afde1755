/** Runs in the page before its own scripts: the longest UI task so far, ms, as `globalThis.longest`. */
export const LONG_TASKS = `globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, entry.duration);
}).observe({ type: 'longtask', buffered: true });`;
