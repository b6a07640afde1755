import { useCallback } from 'react';
import type { CopyResult } from './Device.tsx';
import { useDevice } from './Device.tsx';
import { messages } from './messages.ts';
import { useToasts } from './Toasts.tsx';

const FAILURES: Record<Exclude<CopyResult, 'copied'>, string> = {
  unavailable: messages.copy.unavailable,
  failed: messages.copy.failed,
};

/** Copies a text and says whether that worked (spec 1 §5); `kind` only chooses the words. */
export function useCopy(): (text: string, kind?: 'text' | 'link') => void {
  const device = useDevice();
  const toasts = useToasts();
  return useCallback(
    (text, kind = 'text') => {
      const copy = async () => {
        const result = await device.copyText(text);
        if (result !== 'copied') toasts.error(FAILURES[result]);
        else toasts.success(kind === 'link' ? messages.copy.linkDone : messages.copy.done);
      };
      void copy();
    },
    [device, toasts],
  );
}
