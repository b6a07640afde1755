/** The repository whose files a script begins in: fetched by our own client through the guard; the script gets no credentials. */
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { checkoutFolder } from '../../../playbooks/actions/gitops/repository-text.ts';
import { checkOutInThread, withoutFieldNames } from '../../../playbooks/actions/gitops/repository-thread.ts';
import type { KindContext } from '../../kind/check-kind.ts';
import { readValue } from '../../kind/secret-values.ts';
import { text, valueSchema } from '../../kind/spec-fields.ts';
import { gitPlace } from '../source-control/git-place.ts';

export const checkoutSchema = z
  .strictObject({
    url: text.optional(),
    connection: z.string().optional(),
    username: valueSchema.optional(),
    password: valueSchema.optional(),
    /** Of the authority that the server's certificate is from, in PEM. */
    certificate: valueSchema.optional(),
    /** A branch, a tag or the id of a commit; the repository's default unless given. */
    branch: text.optional(),
    /** Where in the script's folder the files are. */
    destination: text.optional(),
  })
  .refine(({ url, connection }) => (url ?? connection ?? '') !== '', {
    path: ['url'],
    message: 'is required, or a connection',
  });
type Checkout = z.output<typeof checkoutSchema>;

/** The folder that the script begins in, below `folder`; that itself where nothing is fetched. */
export async function checkedOut(
  checkout: Checkout | undefined,
  folder: string,
  context: KindContext & { timeoutMs: number },
): Promise<string> {
  if (checkout === undefined) return '';
  const { url: repository, branch = null, certificate, ...signIn } = checkout;
  const place = await gitPlace({ ...signIn, repository }, context);
  const destination = checkoutFolder('checkout', checkout.destination ?? '');
  const access = {
    authorization: place.headers['authorization'] ?? null,
    isInsecureTls: place.tls.isInsecure === true,
    trust: context.trust,
    ca: certificate === undefined ? undefined : await readValue(certificate, context),
  };
  const job = { url: place.url, dir: join(folder, destination), ref: branch };
  await checkOutInThread(job, access, { ...context, output: () => undefined }).catch((error: unknown) => {
    const told = withoutFieldNames(error);
    if (told instanceof AppError)
      throw new AppError(told.code, `checkout: ${told.message}`, {
        cause: error,
        ...(told.status === null ? {} : { status: told.status }),
      });
    throw told;
  });
  return destination;
}
