import { signOut } from '../../data/commands/commands.ts';
import { links } from '../../domain/links.ts';
import { loadPage } from '../platform.ts';

/** Ends the session here and at the provider; what wasn't sent stays sealed for the same user. */
export async function leaveHosted(): Promise<void> {
  await signOut({ keepOutbox: true });
  loadPage(links.providerSignOut());
}
