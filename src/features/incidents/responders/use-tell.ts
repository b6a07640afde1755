/** Sends, and says what came of it: at once while nothing can be sent, else when the server has answered. */
import type { CommandRequest } from '../../../contract/commands/all-commands.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useIncident } from '../incident-context.tsx';
import { messages as words } from './messages.ts';

interface Said {
  done: string;
  /** Instead, where it waits on this device. */
  kept: string;
}

type Tell = (request: CommandRequest, said: Said | null) => Promise<void>;

/** Resolves when the command is kept on this device, or can't be. */
export function useTell(): Tell {
  const { follow } = useIncident();
  const toasts = useToasts();
  const isReachable = useReachable();
  return async (request, said) => {
    const error = await follow(request, (settled) => {
      if (settled.kind === 'refused') toasts.error(settled.message);
      else if (said !== null && isReachable) toasts.success(said.done);
    });
    if (error !== null) toasts.error(words.errorText(error));
    else if (said !== null && !isReachable) toasts.success(said.kept);
  };
}
