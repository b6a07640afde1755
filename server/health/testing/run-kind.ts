/** For tests only: one run of a kind, from an entry as documents write it. */
import { kindOf } from '../kinds/all-kinds.ts';
import type { KindContext, KindResult } from '../kind/check-kind.ts';
import { notRun } from '../kind/check-kind.ts';
import { kindSetting } from './kind-setting.ts';

/** Throws where the entry can't be read; what this place can't run is answered as not run. */
export async function runKind(
  key: string,
  entry: object,
  context: KindContext = kindSetting(),
): Promise<KindResult> {
  const read = kindOf(key)?.read({ name: 'a', ...entry });
  if (read === undefined) throw new Error(`${key} is not run`);
  if (!read.ok) throw read.error;
  const reason = read.check.notRun(context);
  return reason === null ? read.check.run(context) : notRun(reason);
}
