/** Commands where the server has them, else one contract call for each (design §4 law 16). */
import type { HttpClient } from '../network/http-client.ts';
import { createCommandCarrier, type Carrier } from './command-carrier.ts';
import { createPlainCarrier } from './plain-carrier.ts';

export function createChosenCarrier(options: {
  http: HttpClient;
  serverNow: () => number;
  canCommand: () => boolean;
}): Carrier {
  const { http, serverNow, canCommand } = options;
  const commands = createCommandCarrier(http, serverNow);
  const plain = createPlainCarrier({ http, serverNow });
  const chosen = () => (canCommand() ? commands : plain);
  return {
    get limit() {
      return chosen().limit;
    },
    deliver: (batch, signal) => chosen().deliver(batch, signal),
  };
}
