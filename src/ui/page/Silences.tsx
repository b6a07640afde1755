/**
 * The door from any screen to the silences of notifications: a screen says what it shows, the app says whether it is
 * silent and whether this user may silence it. It knows nothing of notifications itself.
 */
import { IconBellOff } from '@tabler/icons-react';
import { createContext, Suspense, useContext, type ComponentType, type ReactNode } from 'react';
import { links } from '../../domain/links.ts';
import { AppLink } from '../actions/AppLink.tsx';
import { buttonClass } from '../actions/Button.tsx';
import { messages } from '../messages.ts';

/** A thing that can be silenced. */
export interface Silenceable {
  kind: 'check' | 'config' | 'component';
  id: string;
}

export interface SilencesApi {
  /** A mark beside the name of what is silent, nothing beside anything else. Null: this user sees no silences. */
  Mark: ComponentType<Silenceable> | null;
  /** This user may silence things. */
  maySilence: boolean;
}

const SilencesContext = createContext<SilencesApi>({ Mark: null, maySilence: false });

/** Given by the shell. */
export function SilencesProvider({ door, children }: { door: SilencesApi; children: ReactNode }) {
  return <SilencesContext value={door}>{children}</SilencesContext>;
}

/** Says of a thing that it is silent, and until when. */
export function SilencedMark(thing: Silenceable) {
  const { Mark } = useContext(SilencesContext);
  if (Mark === null) return null;
  return (
    <Suspense fallback={null}>
      <Mark {...thing} />
    </Suspense>
  );
}

/** Leads to the form that silences a thing; nothing where that isn't allowed. */
export function SilenceButton({ look = 'button', ...thing }: Silenceable & { look?: 'button' | 'icon' }) {
  const { maySilence } = useContext(SilencesContext);
  if (!maySilence) return null;
  const isIcon = look === 'icon';
  return (
    <AppLink
      href={links.addSilence(thing)}
      className={buttonClass(isIcon ? 'quiet' : 'outline', look)}
      {...(isIcon ? { 'aria-label': messages.silence, title: messages.silence } : {})}
    >
      <IconBellOff size={isIcon ? 16 : 15} aria-hidden />
      {!isIcon && messages.silence}
    </AppLink>
  );
}
