/** The functions that expressions of the product know beyond standard CEL. Values in, values out, no effects. */
import { createHash } from 'node:crypto';
import type { Environment } from '@marcbachmann/cel-js';
import { evaluate } from '@marcbachmann/cel-js';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { goDuration, humanDuration, humanSize, prettyJson, textOf, toJson } from './humanize.ts';
import { matchesSemver } from './semver.ts';
import { parseGoTime } from './go-time.ts';

/** What expressions need of the outside world. */
export interface ExpressionPowers {
  now: () => number;
  uuid: () => string;
}

interface CelDuration {
  valueOf(): number;
}
interface CelDurationClass {
  new (seconds: bigint, nanos?: number): CelDuration;
  fromMilliseconds(ms: number): CelDuration;
}
/** The library keeps its duration class to itself, but every duration it makes shows it. */
const Duration = (evaluate("duration('1s')") as object).constructor as CelDurationClass;

/** A span of time as CEL knows it. */
export function celDuration(ms: number): CelDuration {
  return Duration.fromMilliseconds(ms);
}

function durationOf(text: string): CelDuration {
  const ms = parseDuration(text);
  if (ms === null) throw new Error(`"${text}" is not a duration`);
  return celDuration(ms);
}

function msOf(value: unknown): number {
  if (value instanceof Duration) return value.valueOf();
  // A bare number counts in seconds.
  return Number(value) * 1000;
}

type JsonObject = Record<string, unknown>;
const entriesOf = (map: unknown): [string, unknown][] =>
  map instanceof Map ? [...(map as Map<string, unknown>)] : Object.entries(map as JsonObject);

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : entriesOf(value).length;
}

function format(pattern: string, values: unknown[]): string {
  let next = 0;
  return pattern.replace(/%(\.\d+)?([sdfvxX%])/g, (_all, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    const value = values[next++];
    if (verb === 'f') return Number(value).toFixed(precision === undefined ? 6 : Number(precision.slice(1)));
    if (verb === 'x') return Number(value).toString(16);
    return verb === 'X' ? Number(value).toString(16).toUpperCase() : textOf(value);
  });
}

function registerStrings(env: Environment): void {
  env.registerFunction('string.charAt(int): string', (text: string, at: bigint) => text.charAt(Number(at)));
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  );
  env.registerFunction('string.format(list): string', format);
  env.registerFunction('string.toLower(): string', (text: string) => text.toLowerCase());
  env.registerFunction('string.toUpper(): string', (text: string) => text.toUpperCase());
  env.registerFunction('string.parseJSON(): dyn', (text: string): unknown => JSON.parse(text));
  env.registerFunction('JSON(string): dyn', (text: string): unknown => JSON.parse(text));
  env.registerFunction('list.join(string): string', (list: unknown[], separator: string) =>
    list.map(textOf).join(separator),
  );
  env.registerFunction('string(google.protobuf.Timestamp): string', (time: Date) => time.toISOString());
  env.registerFunction('string(google.protobuf.Duration): string', (value: CelDuration) =>
    goDuration(value.valueOf()),
  );
}

function registerCollections(env: Environment): void {
  env.registerFunction('list.slice(int, int): list', (list: unknown[], from: bigint, to: bigint) =>
    list.slice(Number(from), Number(to)),
  );
  env.registerFunction('list.toJSON(): string', toJson);
  env.registerFunction('map.toJSON(): string', toJson);
  env.registerFunction('toJSON(dyn): string', toJson);
  for (const kind of ['list', 'map', 'string'])
    env.registerFunction(`${kind}.toJSONPretty(string): string`, (value: unknown, indent: string) =>
      prettyJson(indent, value),
    );
  env.registerFunction('map.keys(): list', (map: unknown) => entriesOf(map).map(([key]) => key));
  env.registerFunction('map.values(): list', (map: unknown) => entriesOf(map).map(([, value]) => value));
  env.registerFunction('map.merge(map): map', (map: unknown, other: unknown) =>
    Object.fromEntries([...entriesOf(map), ...entriesOf(other)]),
  );
  env.registerFunction('map.omit(list): map', (map: unknown, names: string[]) =>
    Object.fromEntries(entriesOf(map).filter(([key]) => !names.includes(key))),
  );
  env.registerFunction('list.flatten(): list', (list: unknown[]) => list.flat(Number.POSITIVE_INFINITY));
  env.registerFunction('list.uniq(): list', (list: unknown[]) => [
    ...new Map(list.map((entry) => [textOf(entry), entry])).values(),
  ]);
  env.registerFunction('len(dyn): int', (value: unknown) => BigInt(sizeOf(value)));
  env.registerFunction('fromAWSMap(list): map', (pairs: { Name: string; Value: string }[]) =>
    Object.fromEntries(pairs.map((pair) => [pair.Name, pair.Value])),
  );
}

/** JSON numbers are doubles and literals are ints; scripts mix them freely, as they could upstream. */
function registerMixedNumbers(env: Environment): void {
  env.registerOperator('double + int: double', (a: number, b: bigint) => a + Number(b));
  env.registerOperator('int + double: double', (a: bigint, b: number) => Number(a) + b);
  env.registerOperator('double - int: double', (a: number, b: bigint) => a - Number(b));
  env.registerOperator('int - double: double', (a: bigint, b: number) => Number(a) - b);
  env.registerOperator('double * int: double', (a: number, b: bigint) => a * Number(b));
  env.registerOperator('int * double: double', (a: bigint, b: number) => Number(a) * b);
  env.registerOperator('double / int: double', (a: number, b: bigint) => a / Number(b));
  env.registerOperator('int / double: double', (a: bigint, b: number) => Number(a) / b);
}

class TimeNamespace {}
class UuidNamespace {}
class CryptoNamespace {}
class KubernetesNamespace {}

/** What was found out about an object of a cluster stands beside it: `{Object, health, ready, status}`. */
function judgementOf(value: unknown, key: 'health' | 'ready' | 'status'): unknown {
  const found = entriesOf(value).find(([name]) => name === key);
  if (found === undefined) throw new Error('k8s functions take an object as a check found it');
  return found[1];
}

function registerKubernetes(env: Environment): void {
  env.registerType('KubernetesNamespace', KubernetesNamespace);
  env.registerConstant('k8s', 'KubernetesNamespace', new KubernetesNamespace());
  env.registerFunction(
    'KubernetesNamespace.isReady(dyn): bool',
    (_k8s: unknown, object: unknown) => judgementOf(object, 'ready') === true,
  );
  env.registerFunction(
    'KubernetesNamespace.isHealthy(dyn): bool',
    (_k8s: unknown, object: unknown) => judgementOf(object, 'health') === 'healthy',
  );
  env.registerFunction('KubernetesNamespace.getStatus(dyn): string', (_k8s: unknown, object: unknown) =>
    textOf(judgementOf(object, 'status')),
  );
}

function registerNamespaces(env: Environment, powers: ExpressionPowers): void {
  env.registerType('TimeNamespace', TimeNamespace);
  env.registerConstant('time', 'TimeNamespace', new TimeNamespace());
  env.registerFunction('TimeNamespace.Now(): google.protobuf.Timestamp', () => new Date(powers.now()));
  env.registerFunction(
    'TimeNamespace.Since(google.protobuf.Timestamp): google.protobuf.Duration',
    (_time: unknown, from: Date) => celDuration(powers.now() - from.getTime()),
  );
  env.registerFunction(
    'TimeNamespace.Until(google.protobuf.Timestamp): google.protobuf.Duration',
    (_time: unknown, to: Date) => celDuration(to.getTime() - powers.now()),
  );
  env.registerFunction('TimeNamespace.ZoneName(): string', () => 'UTC');
  env.registerFunction('TimeNamespace.ZoneOffset(): int', () => 0n);
  env.registerFunction(
    'TimeNamespace.Parse(string, string): google.protobuf.Timestamp',
    (_time: unknown, layout: string, text: string) => parseGoTime(layout, text),
  );
  env.registerType('UuidNamespace', UuidNamespace);
  env.registerConstant('uuid', 'UuidNamespace', new UuidNamespace());
  env.registerFunction('UuidNamespace.V4(): string', () => powers.uuid());
  env.registerFunction('UuidNamespace.Nil(): string', () => '00000000-0000-0000-0000-000000000000');
  env.registerFunction('UuidNamespace.IsValid(string): bool', (_uuid: unknown, text: string) =>
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  );
  env.registerType('CryptoNamespace', CryptoNamespace);
  env.registerConstant('crypto', 'CryptoNamespace', new CryptoNamespace());
  for (const bits of ['1', '224', '256', '384', '512']) {
    env.registerFunction(`CryptoNamespace.SHA${bits}(string): string`, (_crypto: unknown, text: string) =>
      createHash(`sha${bits}`).update(text).digest('hex'),
    );
  }
}

/** Adds everything to an environment. */
export function registerFunctions(env: Environment, powers: ExpressionPowers): void {
  registerStrings(env);
  registerCollections(env);
  registerMixedNumbers(env);
  registerNamespaces(env, powers);
  registerKubernetes(env);
  env.registerFunction('Duration(string): google.protobuf.Duration', durationOf);
  env.registerFunction('HumanDuration(dyn): string', (value: unknown) => humanDuration(msOf(value)));
  env.registerFunction('HumanSize(dyn): string', (value: unknown) => humanSize(Number(value)));
  env.registerFunction('SemverCompare(string, string): bool', matchesSemver);
}
