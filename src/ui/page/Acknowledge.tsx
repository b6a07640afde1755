/**
 * The door from any screen to acknowledging: a screen says what it shows and whether it is bad, the app says who knows
 * of it and, to those who may, offers to acknowledge or snooze it. It knows nothing of that itself.
 */
import { createContext, Suspense, useContext, type ComponentType, type ReactNode } from 'react';
import type { AcknowledgedKind } from '../../domain/notification/acknowledgement.ts';

export interface AcknowledgeProps {
  kind: AcknowledgedKind;
  id: string;
  /** There is something to know; what is well is neither acknowledged nor snoozed. */
  isBad: boolean;
  /** `icon`: where there is little room, all of it is behind one. */
  look?: 'button' | 'icon';
}

export interface AcknowledgeApi {
  /** Null where nobody acknowledges. */
  Control: ComponentType<AcknowledgeProps> | null;
}

const SHUT: AcknowledgeApi = { Control: null };
const AcknowledgeContext = createContext(SHUT);

interface AcknowledgeProviderProps {
  door: AcknowledgeApi;
  children: ReactNode;
}

/** Given by the shell. */
export function AcknowledgeProvider({ door, children }: AcknowledgeProviderProps) {
  return <AcknowledgeContext value={door}>{children}</AcknowledgeContext>;
}

/** Who knows of it, and the way to say that one does; nothing where there is neither. */
export function Acknowledge(props: AcknowledgeProps) {
  const { Control } = useContext(AcknowledgeContext);
  return Control === null ? null : (
    <Suspense fallback={null}>
      <Control {...props} />
    </Suspense>
  );
}
