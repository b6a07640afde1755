import { useCallback } from 'react';
import type { CopyResult } from '../Device.tsx';
import { useDevice } from '../Device.tsx';
import { messages } from '../messages.ts';
import { useToasts } from './Toasts.tsx';

const FAILURES: Record<Exclude<CopyResult, 'copied'>, string> = {
  unavailable: messages.copy.unavailable,
  failed: messages.copy.failed,
};

type CopyKind = 'text' | 'link' | 'id';

function doneText(text: string, kind: CopyKind): string {
  if (kind === 'id') return messages.copy.idDone(text);
  return kind === 'link' ? messages.copy.linkDone : messages.copy.done;
}

/** Copies a text and says whether that worked (spec 1 §5); `kind` only chooses the words. */
export function useCopy(): (text: string, kind?: CopyKind) => void {
  const device = useDevice();
  const toasts = useToasts();
  return useCallback(
    (text, kind = 'text') => {
      const copy = async () => {
        const result = await device.copyText(text);
        if (result !== 'copied') toasts.error(FAILURES[result]);
        else toasts.success(doneText(text, kind));
      };
      void copy();
    },
    [device, toasts],
  );
}
