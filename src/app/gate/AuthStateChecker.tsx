/**
 * `/auth-state-checker`: where a 401 under an open page leads (spec 1 §8). Another tab may have signed in again, or
 * the answer may have come late: it asks the server once more before it sends anybody to the login page.
 */
import { useEffect, useState } from 'react';
import type { ErrorFacts } from '../../contract/errors.ts';
import { checkSession } from '../../data/commands/commands.ts';
import { useSession } from '../../data/session/use-session.ts';
import { links } from '../../domain/links.ts';
import { SessionFailedScreen, StartingScreen } from './screens.tsx';

type Found = 'asking' | 'signed-in' | 'signed-out' | ErrorFacts;

interface AuthStateCheckerProps {
  /** Already safe. */
  returnTo: string;
  onGo: (path: string) => void;
}

/** `returnTo` is where the user was. */
export function AuthStateChecker({ returnTo, onGo }: AuthStateCheckerProps) {
  const session = useSession();
  const [found, setFound] = useState<Found>('asking');
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let isCurrent = true;
    void checkSession().then((answer) => {
      if (!isCurrent) return;
      if (!answer.ok) setFound(answer.error);
      else setFound(answer.value ? 'signed-in' : 'signed-out');
    });
    return () => {
      isCurrent = false;
    };
  }, [attempt]);

  // The session's own news may arrive after the answer.
  const isIn = found === 'signed-in' && session.kind === 'signed-in';
  const isSecondFactorDue = session.kind === 'signed-out' && session.isSecondFactorDue === true;
  useEffect(() => {
    if (isIn) onGo(returnTo);
    if (found === 'signed-out')
      onGo(isSecondFactorDue ? links.secondFactor(returnTo) : links.login(returnTo));
  }, [isIn, found, isSecondFactorDue, returnTo, onGo]);

  if (typeof found === 'string') return <StartingScreen />;
  return (
    <SessionFailedScreen
      error={found}
      onRetry={() => {
        setFound('asking');
        setAttempt(attempt + 1);
      }}
    />
  );
}
