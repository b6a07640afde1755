/** Commands where the server has them, else one contract call for each (design §4 law 16). */
import type { HttpClient } from '../../network/http-client.ts';
import { createCommandTransport, type CommandTransport } from './command-transport.ts';
import { createPlainTransport } from './plain-transport.ts';

/** Chooses anew for each batch, since a server may be replaced by another version. */
export function createChosenTransport(options: {
  http: HttpClient;
  serverNow: () => number;
  canCommand: () => boolean;
}): CommandTransport {
  const { http, serverNow, canCommand } = options;
  const commands = createCommandTransport(http, serverNow);
  const plain = createPlainTransport({ http, serverNow });
  const chosen = () => (canCommand() ? commands : plain);
  return {
    get limit() {
      return chosen().limit;
    },
    deliver: (batch, signal) => chosen().deliver(batch, signal),
  };
}
