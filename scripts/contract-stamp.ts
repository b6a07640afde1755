/** Puts the stamp of the contract into what is built (src/contract/version.ts); from the sources there is none. */
import type { Plugin } from 'vite';
import { contractStamp } from './source-stamp.mjs';

/** For the app and for the server. */
export function putContractStamp(): Plugin {
  return {
    name: 'contract-stamp',
    config: (_config, { command }) =>
      command === 'build' ? { define: { CONTRACT_STAMP_OF_BUILD: JSON.stringify(contractStamp()) } } : {},
  };
}
