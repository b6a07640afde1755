/**
 * Places that the operator names: those of other people that this server asks by itself (its uplink, the registry of
 * charts), and where the other servers of its database find it.
 */
import { z } from 'zod';
import { CHART_SOURCES } from '../../../src/domain/integration/charts.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

const MOST_PROBES = 5;
const PROBE = /^(\[[\da-fA-F:]+\]|[\w.-]+):\d{1,5}$/;

const isAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Nothing but the server: calls are made with paths of their own. */
const isOrigin = (text: string): boolean => {
  if (!isAddress(text)) return false;
  const { pathname, search, hash, username, password } = new URL(text);
  return pathname === '/' && `${search}${hash}${username}${password}` === '';
};

/** By their variables. */
export const OUTSIDE_VARIABLES = {
  UPLINK_PROBES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine(
      (named) => named.length <= MOST_PROBES && named.every((one) => PROBE.test(one)),
      `allowed are up to ${MOST_PROBES} places such as 192.0.2.1:53, with a port each`,
    ),
  CHARTS_URL: z
    .string()
    .default(CHART_SOURCES)
    .refine((text) => text === 'none' || isAddress(text), 'allowed are http:// and https:// URLs, and none')
    .transform((text) => (text === 'none' ? null : trimEnd(text, '/'))),
  ADVERTISE_URL: z
    .string()
    .refine(isOrigin, 'allowed are http:// and https:// URLs of a server, without a path')
    .transform((text) => new URL(text).origin)
    .nullable()
    .default(null),
};
