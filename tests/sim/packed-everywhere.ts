/**
 * RxDB keeps what it opened in variables of its module, so two workers in one process would share a connection
 * and the crash of one would be the other's. Both kinds of store sit behind one port and pass one suite; a
 * simulated world keeps everything in the kind that has no such variables. Import this before any store: what is
 * kept where is read when modules are loaded.
 */
import { COLLECTIONS, COLLECTION_FACTS } from '../../src/contract/collections.ts';

for (const name of COLLECTIONS) {
  COLLECTION_FACTS[name].store = 'packed';
}
