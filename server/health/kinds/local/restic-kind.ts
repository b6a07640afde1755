/**
 * restic: whether a repository has a snapshot that is new enough, and with `checkIntegrity` whether it is whole (schema
 * §4.1). The program makes its own calls, so users' checks run it only where they may run programs at all; the place of
 * the repository is judged by the guard first, and only kinds of places that start no other program are opened.
 */
import { z } from 'zod';
import { parseDuration } from '../../../../src/domain/check/duration.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { formatDuration } from '../../../../src/domain/time/format.ts';
import { runScript } from '../../../platform/exec/run-script.ts';
import { notRun } from '../../kind/check-kind.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import type { Found, Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import type { RunEnvironment } from '../../kind/registered-kind.ts';
import { readValue } from '../../kind/secret-values.ts';
import { connectionOf } from '../../kind/service-place.ts';
import { common, count, durationText, required, valueSchema } from '../../kind/spec-fields.ts';
import { sortedBy } from '../../../../src/lib/sorted-by.ts';

const schema = z.strictObject({
  ...common,
  repository: required,
  password: valueSchema.optional(),
  connection: z.string().optional(),
  accessKey: valueSchema.optional(),
  secretKey: valueSchema.optional(),
  /** As a specification of the product misspells it. */
  secretLKey: valueSchema.optional(),
  maxAge: durationText.optional(),
  checkIntegrity: z.boolean().optional(),
  thresholdMillis: count.optional(),
});
type ResticSpec = z.output<typeof schema>;

const LIST_MS = 60_000;
const VERIFY_MS = 15 * 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const NOT_INSTALLED = 'restic is not installed on this server';
const PLACE = /^(?:s3:|rest:)(https?:\/\/\S+)$/;
const PLACES =
  'repository: must be s3:https://…, rest:https://… or a folder (/…); other places are not opened';

function resticNotRun(spec: ResticSpec, { trust, isExecAllowed }: RunEnvironment): string | null {
  if (trust === 'user' && !isExecAllowed)
    return 'restic checks run a program: from canary files only, or with ALLOW_EXEC=true';
  return PLACE.test(spec.repository) || spec.repository.startsWith('/') ? null : PLACES;
}

/** Throws where the place may not be called. */
async function judgePlace({ repository }: ResticSpec, at: Probe): Promise<void> {
  const address = PLACE.exec(repository)?.[1];
  if (address === undefined) return;
  if (!URL.canParse(address)) throw new AppError('invalid', PLACES);
  const url = new URL(address);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  await at.guard.check(url.hostname, port, at.trust);
}

async function environmentOf(spec: ResticSpec, at: Probe): Promise<Record<string, string>> {
  const connection = await connectionOf(spec, at);
  const read = async (value: ResticSpec['password'], otherwise = '') =>
    value === undefined ? otherwise : readValue(value, at);
  const all = {
    RESTIC_REPOSITORY: spec.repository,
    RESTIC_PASSWORD: await read(spec.password, connection?.password),
    AWS_ACCESS_KEY_ID: await read(spec.accessKey),
    AWS_SECRET_ACCESS_KEY: await read(spec.secretKey ?? spec.secretLKey),
  };
  if (all.RESTIC_PASSWORD === '')
    throw new AppError('invalid', 'password: is required, or a connection that has one');
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Null where the program is not there. */
async function restic(args: string, env: Record<string, string>, at: Probe) {
  const script = `PATH="\${PROGRAMS:-$PATH}"; command -v restic > /dev/null || exit 127; exec restic ${args} --no-cache`;
  const places = at.programs === undefined ? {} : { PROGRAMS: at.programs };
  const ended = await runScript({
    script,
    env: { ...env, ...places },
    signal: at.signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  return ended.exitCode === 127 ? null : ended;
}

const snapshotsSchema = z.array(
  z.object({
    time: z.string(),
    hostname: z.string().default(''),
    paths: z.array(z.string()).default([]),
    short_id: z.string().default(''),
  }),
);
const saidOf = ({ stderr, exitCode }: { stderr: string; exitCode: number | null }) =>
  `restic: ${stderr.trim().split('\n').slice(-1)[0]?.slice(0, 300) || `exit code ${exitCode ?? 'none'}`}`;

function judge(spec: ResticSpec, output: string, nowMs: number): Found {
  const read = snapshotsSchema.safeParse(JSON.parse(output));
  if (!read.success) throw new AppError('bad_payload', 'restic: the list of snapshots can not be read');
  const snapshots = sortedBy(read.data, ({ time }) => -Date.parse(time));
  const [newest] = snapshots;
  const data = { results: { newest: newest ?? null, snapshots } };
  if (newest === undefined) return { data, error: 'the repository has no snapshot' };
  const ageMs = nowMs - Date.parse(newest.time);
  const maxMs = parseDuration(spec.maxAge ?? '');
  const isOld = maxMs !== null && ageMs > maxMs;
  const age = formatDuration(ageMs);
  const error = isOld ? `the newest snapshot is ${age} old, at most ${spec.maxAge} wanted (maxAge)` : null;
  return { data, error, message: `newest snapshot ${age} old` };
}

async function run(spec: ResticSpec, context: KindContext): Promise<KindResult> {
  const reason = resticNotRun(spec, context);
  if (reason !== null) return notRun(reason);
  const budgetMs = spec.checkIntegrity === true ? VERIFY_MS : LIST_MS;
  const { thresholdMillis } = spec;
  let isThere = true;
  const result = await probe({ thresholdMillis, budgetMs }, context, async (at) => {
    const env = await environmentOf(spec, at);
    await judgePlace(spec, at);
    const listed = await restic('snapshots --json --latest 5 --no-lock', env, at);
    if (listed === null) {
      isThere = false;
      return { data: {} };
    }
    if (listed.exitCode !== 0) return { data: {}, error: saidOf(listed) };
    const found = judge(spec, listed.stdout, at.platform.now());
    if (spec.checkIntegrity !== true || (found.error ?? null) !== null) return found;
    const verified = await restic('check --no-lock', env, at);
    return { ...found, error: verified === null || verified.exitCode === 0 ? null : saidOf(verified) };
  });
  return isThere ? result : notRun(NOT_INSTALLED);
}

/** Backups that restic made. */
export const resticKind = registeredKind({
  key: 'restic',
  title: 'Restic backups',
  needs: 'restic on this server, and a canary file or ALLOW_EXEC=true',
  testedAgainst: 'stand-in',
  example: {
    name: 'nightly backup',
    repository: 's3:https://s3.example.com/backups',
    password: { valueFrom: { secretKeyRef: { name: 'restic', key: 'password' } } },
    accessKey: { valueFrom: { secretKeyRef: { name: 'restic', key: 'access-key' } } },
    secretKey: { valueFrom: { secretKeyRef: { name: 'restic', key: 'secret-key' } } },
    maxAge: '26h',
  },
  schema,
  notRun: resticNotRun,
  run,
});
