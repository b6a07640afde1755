/** The fields of a folder check (schema §4.1), and what is known of each file. */
import { z } from 'zod';
import {
  common,
  count,
  durationText,
  port,
  required,
  sizeText,
  text,
  valueSchema,
} from '../../kind/spec-fields.ts';
import { awsFields } from '../cloud/aws-place.ts';
import { googleConnection } from '../cloud/google-access.ts';

/** A folder of another machine, by SFTP. */
const sftpConnection = z.strictObject({
  connection: z.string().optional(),
  host: text.optional(),
  port: port.optional(),
  username: valueSchema.optional(),
  password: valueSchema.optional(),
  /** Instead of a password. */
  privateKey: valueSchema.optional(),
  /** `SHA256:…`, as ssh-keygen -l writes it; any key is taken without it. */
  hostKey: text.optional(),
});

/** One entry. */
export const folderSchema = z.strictObject({
  ...common,
  path: required,
  recursive: z.boolean().optional(),
  filter: z
    .strictObject({
      minAge: durationText.optional(),
      maxAge: durationText.optional(),
      since: z.string().optional(),
      minSize: sizeText.optional(),
      maxSize: sizeText.optional(),
      regex: z.string().max(500).optional(),
    })
    .optional(),
  minAge: durationText.optional(),
  maxAge: durationText.optional(),
  minCount: count.optional(),
  maxCount: count.optional(),
  minSize: sizeText.optional(),
  maxSize: sizeText.optional(),
  availableSize: sizeText.optional(),
  totalSize: sizeText.optional(),
  awsConnection: z
    .strictObject({
      ...awsFields,
      /** A pattern of the objects that count. */
      objectPath: z.string().optional(),
      usePathStyle: z.boolean().optional(),
    })
    .optional(),
  gcpConnection: googleConnection.extend({ objectPath: z.string().optional() }).optional(),
  smbConnection: z.unknown().optional(),
  sftpConnection: sftpConnection.optional(),
});
export type FolderSpec = z.output<typeof folderSchema>;

/** Of one folder. */
export const MAX_FILES = 20_000;

export interface FileFacts {
  /** Below the folder; in S3 the whole key. */
  name: string;
  size: number;
  /** Empty where files have none. */
  mode: string;
  modified: string;
  is_dir: boolean;
}
