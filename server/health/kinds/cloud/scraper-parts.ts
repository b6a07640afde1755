/** For clients that scrapers have already: a probe of a check as they are given it, with the same guard, secrets and time. */
import type { awsClientConfig } from '../../../catalog/scrapers/kinds/aws/aws-access.ts';
import type { Probe } from '../../kind/probe.ts';
import { readValue } from '../../kind/secret-values.ts';
import { valueSchema } from '../../kind/spec-fields.ts';

type ScraperParts = Parameters<typeof awsClientConfig>[1];

/** What stands in a specification was read by its schema; values are read as the check's are. */
export function scraperParts(at: Probe): ScraperParts {
  return {
    guard: at.guard,
    trust: at.trust,
    signal: at.signal,
    secret: (value) => readValue(valueSchema.parse(value), at),
    async connection(reference) {
      const known = await at.connection(reference);
      if (known === null) return null;
      const { isInsecureTls, properties, ...columns } = known;
      return { ...columns, insecureTls: isInsecureTls, properties: { ...properties } };
    },
  };
}
