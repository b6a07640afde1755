import { IconCopy } from '@tabler/icons-react';
import { Button } from '../actions/Button.tsx';
import { messages } from '../messages.ts';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  text: string;
  label?: string;
  /** What is said when it worked. */
  kind?: 'text' | 'link';
}

/** Copies a text; a message says whether that worked. */
export function CopyButton({ text, label = messages.copy.action, kind = 'text' }: CopyButtonProps) {
  const copy = useCopy();
  return (
    <Button onClick={() => copy(text, kind)}>
      <IconCopy size={15} aria-hidden />
      {label}
    </Button>
  );
}
