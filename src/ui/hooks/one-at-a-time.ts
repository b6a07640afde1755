import { useState } from 'react';

/** Answers with how to run something; it is left out while what was run before is under way. */
export function oneAtATime(): (run: () => Promise<unknown>) => Promise<void> {
  let isUnderWay = false;
  return async (run) => {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      await run();
    } finally {
      isUnderWay = false;
    }
  };
}

/**
 * For what is sent with a key or a press and takes a while: a form stays open until the device has it on disk, and a second
 * press meanwhile would make it twice.
 */
export function useOneAtATime(): ReturnType<typeof oneAtATime> {
  return useState(oneAtATime)[0];
}
