/** Entries of scrapers that ask a service (schema §5.2, contract §19.9). */
import { z } from 'zod';
import { flag, kind, list, word } from './scraper-entry.ts';
import { authentication, lookup, secretValue, text } from './spec-parts.ts';

const google = { connection: word, credentials: secretValue.optional(), endpoint: word };

export const gcpEntry = kind({
  ...google,
  project: text.optional(),
  organization: text.optional(),
  include: list,
  exclude: list,
});
export type GcpEntry = z.output<typeof gcpEntry>;

export const terraformEntry = kind({
  state: z
    .looseObject({
      local: word,
      url: word,
      connection: word,
      s3: z
        .looseObject({
          bucket: z.string(),
          objectPath: word,
          connection: word,
          accessKey: secretValue.optional(),
          secretKey: secretValue.optional(),
          region: word,
          endpoint: word,
          skipTLSVerify: flag,
          usePathStyle: flag,
        })
        .optional(),
      gcs: z.looseObject({ ...google, bucket: z.string(), objectPath: word }).optional(),
    })
    .optional(),
});
export type TerraformEntry = z.output<typeof terraformEntry>;

export const slackEntry = kind({
  token: secretValue,
  since: word,
  channels: list,
  endpoint: word,
  rules: z.array(
    z.looseObject({
      regexp: z.string(),
      filter: z.looseObject({ bot: word, user: word }).optional(),
      config: z
        .array(
          z.looseObject({
            name: z.union([text, lookup]).optional(),
            external_id: z.union([text, lookup]).optional(),
            types: z.array(z.union([text, lookup])).optional(),
          }),
        )
        .optional(),
      mapping: z
        .looseObject({ type: text.optional(), severity: text.optional(), summary: text.optional() })
        .optional(),
    }),
  ),
});
export type SlackEntry = z.output<typeof slackEntry>;

/** One place where logs are, as a log backend has it. */
const logPlace = z.record(z.string(), z.unknown()).optional();

export const logsEntry = kind({
  loki: logPlace,
  elasticsearch: logPlace,
  opensearch: logPlace,
  gcp: logPlace,
  cloudwatch: logPlace,
  kubernetes: logPlace,
  sql: logPlace,
  file: logPlace,
  start: word,
  end: word,
  limit: z.union([z.int(), z.string()]).optional(),
});
export type LogsEntry = z.output<typeof logsEntry>;

export const clickhouseEntry = kind({
  connection: word,
  url: word,
  clickhouseURL: word,
  username: secretValue.optional(),
  password: secretValue.optional(),
  query: z.string(),
});
export type ClickhouseEntry = z.output<typeof clickhouseEntry>;

export const postgresEntry = kind({
  connection: z.string(),
  auth: authentication.optional(),
  driver: word,
  permissions: flag,
});
export type PostgresEntry = z.output<typeof postgresEntry>;

export const githubEntry = kind({
  connection: word,
  personalAccessToken: secretValue.optional(),
  repositories: z.array(z.looseObject({ owner: z.string(), repo: z.string(), topics: list })),
  organizations: z.array(z.looseObject({ name: z.string() })).optional(),
  security: flag,
  openssf: flag,
  scorecardURL: word,
  permissions: z.looseObject({ enabled: flag }).optional(),
});
export type GithubEntry = z.output<typeof githubEntry>;
