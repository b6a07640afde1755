/**
 * Properties that the operator sets outside the database (schema §3.6): lines `name=value` in PROPERTIES_FILE,
 * and variables `PROPERTY_<name>`, in which `__` stands for a dot. A variable wins over the file, both win over
 * the database. Read once at start: what is set for a server holds as long as it runs.
 */
import { readFileSync } from 'node:fs';
import { SettingsError } from './settings.ts';

const PREFIX = 'PROPERTY_';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
/** Comments as property files have them. */
const COMMENT = /^[#!]/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Shells and compose files like capitals: a name in capitals only is meant in small letters. */
function nameOfVariable(variable: string): string {
  const name = variable.slice(PREFIX.length).replaceAll('__', '.');
  return name === name.toUpperCase() ? name.toLowerCase() : name;
}

function parseLine(line: string, where: string): [string, string] {
  const [name = '', ...value] = line.split('=');
  if (value.length === 0 || !NAME.test(name.trim())) {
    throw new SettingsError(
      { variable: 'PROPERTIES_FILE', value: where },
      'allowed are lines name=value, and comments after #',
    );
  }
  return [name.trim(), value.join('=').trim()];
}

/** The pairs of a properties file; `path` is for the refusal of a bad line. */
export function parseProperties(text: string, path: string): [string, string][] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), where: `${path}:${index + 1}` }))
    .filter(({ line }) => line !== '' && !COMMENT.test(line))
    .map(({ line, where }) => parseLine(line, where));
}

function readFileOrRefuse(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(
      { variable: 'PROPERTIES_FILE', value: path },
      'it must name a file that can be read',
      {
        cause: error,
      },
    );
  }
}

/** Properties of variables. */
export function propertiesOfEnvironment(env: Environment): [string, string][] {
  return Object.entries(env)
    .filter(([variable]) => variable.startsWith(PREFIX))
    .map(([variable, value]) => {
      const name = nameOfVariable(variable);
      if (!NAME.test(name)) {
        throw new SettingsError(
          { variable, value: value ?? '' },
          'a property name follows PROPERTY_, with __ for a dot',
        );
      }
      return [name, value ?? ''];
    });
}

/** All that is set outside the database, by name. */
export function readLocalProperties(env: Environment): ReadonlyMap<string, string> {
  const path = env['PROPERTIES_FILE'];
  const ofFile = path === undefined || path === '' ? [] : parseProperties(readFileOrRefuse(path), path);
  return new Map([...ofFile, ...propertiesOfEnvironment(env)]);
}
