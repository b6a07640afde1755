/**
 * Kinds of checks that are read, stored and shown, but can't run in this process, each with the reason: such checks are
 * unknown, never healthy and never red. Key of the document → checks.type and the sentence that people see.
 */
import { lookupTable } from '../../../src/lib/lookup-table.ts';
interface StoredKind {
  type: string;
  reason: string;
}

const because = (key: string, type: string, why: string): [string, StoredKind] => [
  key,
  { type, reason: `checks of kind ${key} are not run by this server: ${why}` },
];

/** By the key of the document. */
export const STORED_KINDS = lookupTable<StoredKind>(
  Object.fromEntries([
    because('dockerPush', 'dockerPush', 'pushing an image needs a container runtime, which it has not'),
    because('containerd', 'containerdPull', 'it has no container runtime; docker asks the registry itself'),
    because(
      'containerdPush',
      'containerdPush',
      'pushing an image needs a container runtime, which it has not',
    ),
    because('jmeter', 'jmeter', 'it has no JMeter; an exec check can start one that is installed'),
    // Names that the product's forms have and its specifications have not (contract §19.11).
    because('configDB', 'configdb', 'there is no such kind any more; catalog looks items up'),
    because('ec2', 'ec2', 'starting machines is not a check that it makes'),
    because('gcs', 'gcs', 'write folder with a path gcs://…'),
    because('sftp', 'sftp', 'write folder with sftpConnection'),
    because('smb', 'smb', 'write folder with smbConnection'),
    because('sql', 'sql', 'write postgres, mysql or mssql'),
  ]),
);
