import { useEffect, useRef } from 'react';

/** Asks again once there is a connection, when there is no form yet. */
export function useRetryWhenBack(isOffline: boolean, hasFlow: boolean, retry: () => void): void {
  const wasOffline = useRef(isOffline);
  useEffect(() => {
    if (wasOffline.current && !isOffline && !hasFlow) retry();
    wasOffline.current = isOffline;
  }, [isOffline, hasFlow, retry]);
}
