import { IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { useDevice } from './Device.tsx';
import type { CopyResult } from './Device.tsx';
import { messages } from './messages.ts';

const TEXTS: Record<CopyResult, string> = {
  copied: messages.copy.done,
  unavailable: messages.copy.unavailable,
  failed: messages.copy.failed,
};
/** Toasts last so long (spec 1 §9). */
const SHOWN_MS = 5000;

/** Copies a text and says on itself whether that worked. */
export function CopyButton({ text, label = messages.copy.action }: { text: string; label?: string }) {
  const device = useDevice();
  const [result, setResult] = useState<CopyResult | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  return (
    <Button onClick={() => void device.copyText(text).then(setResult)}>
      <IconCopy size={15} aria-hidden />
      <span aria-live="polite">{result === null ? label : TEXTS[result]}</span>
    </Button>
  );
}
