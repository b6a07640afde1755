/**
 * The operator's exceptions: EGRESS_ALLOW opens what it names (also inside a denied range), EGRESS_DENY closes
 * what it names. An entry is an address, a network, a host name (`*.example.com` for all below it), each with
 * an optional port, or one of the words loopback, private, public.
 */
import ipaddr from 'ipaddr.js';
import { AppError } from '../../../src/contract/errors.ts';
import type { AddressClass } from './address-rules.ts';

export type EgressRule =
  | { kind: 'class'; class: AddressClass }
  | { kind: 'network'; network: ipaddr.IPv4 | ipaddr.IPv6; bits: number; port: number | null }
  | { kind: 'host'; host: string; isBelow: boolean; port: number | null };

export interface EgressQuestion {
  host: string;
  port: number | null;
  address: string;
  class: AddressClass;
}

const CLASS_WORDS: ReadonlySet<string> = new Set(['loopback', 'private', 'public']);
const isClassWord = (text: string): text is 'loopback' | 'private' | 'public' => CLASS_WORDS.has(text);
const HOST = /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/;

function splitPort(text: string): { rest: string; port: number | null } {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(text);
  if (bracketed) return { rest: bracketed[1] ?? '', port: bracketed[2] ? Number(bracketed[2]) : null };
  const plain = /^([^:]+):(\d+)$/.exec(text);
  return plain ? { rest: plain[1] ?? '', port: Number(plain[2]) } : { rest: text, port: null };
}

/** One entry of EGRESS_ALLOW or EGRESS_DENY; throws `invalid` for what can't be read. */
export function parseEgressRule(text: string): EgressRule {
  const word = text.trim().toLowerCase();
  if (isClassWord(word)) return { kind: 'class', class: word };
  const { rest, port } = splitPort(word);
  if (ipaddr.isValidCIDR(rest)) {
    const [network, bits] = ipaddr.parseCIDR(rest);
    return { kind: 'network', network, bits, port };
  }
  if (ipaddr.isValid(rest)) {
    const network = ipaddr.process(rest);
    return { kind: 'network', network, bits: network.kind() === 'ipv4' ? 32 : 128, port };
  }
  if (!HOST.test(rest)) throw new AppError('invalid', `"${text}" is not an address, network or host name`);
  const isBelow = rest.startsWith('*.');
  return { kind: 'host', host: isBelow ? rest.slice(1) : rest, isBelow, port };
}

/** Whether an entry can be read. */
export function isEgressRule(text: string): boolean {
  try {
    parseEgressRule(text);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function matches(rule: EgressRule, question: EgressQuestion): boolean {
  if (rule.kind === 'class') return rule.class === question.class;
  if (rule.port !== null && rule.port !== question.port) return false;
  if (rule.kind === 'host')
    return rule.isBelow ? question.host.endsWith(rule.host) : question.host === rule.host;
  const address = ipaddr.process(question.address);
  return address.kind() === rule.network.kind() && address.match(rule.network, rule.bits);
}

/** True when one of the rules names the place. */
export function isNamed(rules: readonly EgressRule[], question: EgressQuestion): boolean {
  return rules.some((rule) => matches(rule, question));
}
