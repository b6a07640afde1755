import type { ReactNode } from 'react';
import { Sheet } from './Sheet.tsx';

/** Widths up to the breakpoints of spec 1 §9; `full` takes the whole screen up to the last of them. */
export type ModalSize = 'very-small' | 'small' | 'medium' | 'large' | 'full';

interface ModalProps {
  title: string;
  size?: ModalSize;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog in the middle of the screen. */
export function Modal({ title, size = 'small', onClose, children }: ModalProps) {
  return (
    <Sheet label={title} side="center" size={size} hasTitle onClose={onClose}>
      {children}
    </Sheet>
  );
}
