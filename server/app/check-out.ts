/** Scrapers read repositories as playbooks do: in a thread of their own, with the same limits. */
import type { CheckOut } from '../catalog/scrapers/specs/scraped.ts';
import { checkOutInThread, withoutFieldNames } from '../playbooks/actions/gitops/repository-thread.ts';

const LIMIT_MS = 5 * 60_000;

/** See CheckOut. */
export const checkOut: CheckOut = async ({ url, dir, ref, authorization, isInsecureTls }, access) => {
  const { guard, signal, sleep, trust } = access;
  await checkOutInThread(
    { url, dir, ref },
    { authorization, isInsecureTls, trust },
    { guard, signal, platform: { sleep }, timeoutMs: LIMIT_MS, output: () => undefined },
  ).catch((error: unknown) => {
    throw withoutFieldNames(error);
  });
};
