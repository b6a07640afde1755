/** docker: whether an image can be pulled, asked of its registry (the OCI distribution API); nothing is unpacked. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { EgressResponse } from '../../../platform/egress/egress-http.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { signInOf } from '../../kind/service-place.ts';
import { common, count, limits, required, text, valueSchema } from '../../kind/spec-fields.ts';
import { imageName } from './image-name.ts';
import { openRegistry } from './registry-client.ts';

const signInFields = { username: valueSchema.optional(), password: valueSchema.optional() };
const dockerSchema = z.strictObject({
  ...common,
  ...limits,
  ...signInFields,
  auth: z.strictObject(signInFields).optional(),
  image: required,
  expectedDigest: text.optional(),
  /** Bytes of all layers. */
  expectedSize: count.optional(),
  platform: z
    .string()
    .regex(/^[^/]+\/[^/]+$/, 'must be such as linux/amd64')
    .optional(),
});
type DockerSpec = z.output<typeof dockerSchema>;

const platformSchema = z.looseObject({ os: z.string(), architecture: z.string() });
const manifestSchema = z.looseObject({
  manifests: z.array(z.looseObject({ digest: z.string(), platform: platformSchema.optional() })).optional(),
  layers: z.array(z.looseObject({ size: z.number() })).optional(),
});

const digestOf = (answer: EgressResponse) =>
  `sha256:${createHash('sha256').update(answer.body).digest('hex')}`;
const manifestOf = (answer: EgressResponse) => manifestSchema.parse(JSON.parse(answer.body.toString('utf8')));

/** What there is wrong with it, or null. */
function complaint(spec: DockerSpec, digests: readonly string[], size: number): string | null {
  const { expectedDigest, expectedSize } = spec;
  if (expectedDigest !== undefined && !digests.includes(expectedDigest))
    return `the digest is ${digests[0] ?? 'none'}, ${expectedDigest} wanted`;
  return expectedSize !== undefined && expectedSize !== size ? `${size} bytes, ${expectedSize} wanted` : null;
}

function run(spec: DockerSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const image = imageName(spec.image);
    const given = {
      username: spec.username ?? spec.auth?.username,
      password: spec.password ?? spec.auth?.password,
    };
    const registry = openRegistry(at, image, await signInOf(given, null, context));
    const first = await registry.get(image.reference);
    const digest = digestOf(first);
    if (image.reference.startsWith('sha256:') && image.reference !== digest)
      throw new AppError('network', `the registry answers other content than ${image.reference}`);
    const index = manifestOf(first);
    const [os = '', architecture = ''] = (spec.platform ?? 'linux/amd64').split('/');
    const found = index.manifests?.find(
      ({ platform }) => platform?.os === os && platform.architecture === architecture,
    );
    if (index.manifests !== undefined && found === undefined)
      return { data: { results: { digest } }, error: `there is none for ${os}/${architecture}` };
    const manifest = found === undefined ? index : manifestOf(await registry.get(found.digest));
    const size = (manifest.layers ?? []).reduce((sum, layer) => sum + layer.size, 0);
    const digests = [digest, ...(found === undefined ? [] : [found.digest])];
    const data = { results: { digest, size, platform: found?.platform ?? null } };
    return { data, error: complaint(spec, digests, size) };
  });
}

/** An image that can be pulled. */
export const dockerKind = registeredKind({
  key: 'docker',
  type: 'dockerPull',
  title: 'Container image',
  needs: 'nothing: manifests are read, layers are not',
  testedAgainst: 'stand-in',
  example: { name: 'base image', image: 'docker.io/library/busybox:1.36' },
  schema: dockerSchema,
  run,
});
