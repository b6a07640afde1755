/**
 * The door from any list of names to how a thing is: what finds or chooses things by name says which they are, the app
 * says how they are now. It knows nothing of health itself.
 */
import { createContext, Suspense, useContext, type ComponentType, type ReactNode } from 'react';
import type { Silenceable } from './Silences.tsx';

/** What has a health; what can be silenced has one. */
export type Judged = Silenceable;

export interface ThingHealthApi {
  /** Null where nobody knows. */
  Mark: ComponentType<Judged> | null;
}

const ThingHealthContext = createContext<ThingHealthApi>({ Mark: null });

/** Given by the shell. */
export function ThingHealthProvider({ door, children }: { door: ThingHealthApi; children: ReactNode }) {
  return <ThingHealthContext value={door}>{children}</ThingHealthContext>;
}

/** Its mark with its word for who doesn't see it; nothing where nobody knows. */
export function ThingHealth(thing: Judged) {
  const { Mark } = useContext(ThingHealthContext);
  if (Mark === null) return null;
  return (
    <Suspense fallback={null}>
      <Mark {...thing} />
    </Suspense>
  );
}
