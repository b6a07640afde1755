/** For tests only: the usual server for SFTP, which lists the folders that it is given and lets `monitor` in. */
import ssh2 from 'ssh2';
import { nodePlatform } from '../../platform/platform.ts';

/** Files by folder: name, mode, size. */
export type TestSftpTree = Readonly<Record<string, readonly (readonly [string, number, number])[]>>;
export const SFTP_FOLDER = 0o040_755;

export interface TestSftp {
  port: number;
  /** Its public key, as a line of known hosts has it. */
  hostKey: string;
  stop: () => void;
}

const AGE_S = 3600;

function listFolders(client: ssh2.Connection, tree: TestSftpTree): void {
  client.on('session', (accept) => {
    accept().on('sftp', (open) => {
      const sftp = open();
      const handles: { path: string; isRead: boolean }[] = [];
      sftp.on('OPENDIR', (id, path) => {
        if (tree[path] === undefined) return sftp.status(id, ssh2.utils.sftp.STATUS_CODE.NO_SUCH_FILE);
        handles.push({ path, isRead: false });
        return sftp.handle(id, Buffer.from([handles.length - 1]));
      });
      sftp.on('READDIR', (id, handle) => {
        const at = handles[handle[0] ?? 0];
        if (at === undefined || at.isRead) return sftp.status(id, ssh2.utils.sftp.STATUS_CODE.EOF);
        at.isRead = true;
        const nowS = Math.floor(nodePlatform.now() / 1000);
        const attrs = { uid: 0, gid: 0, atime: nowS, mtime: nowS - AGE_S };
        const list = (tree[at.path] ?? []).map(([filename, mode, size]) => ({
          filename,
          longname: filename,
          attrs: { ...attrs, mode, size },
        }));
        return sftp.name(id, list);
      });
      sftp.on('CLOSE', (id) => sftp.status(id, ssh2.utils.sftp.STATUS_CODE.OK));
    });
  });
}

/** Starts it on a free port. */
export async function startTestSftp(tree: TestSftpTree, password = 'right'): Promise<TestSftp> {
  const { private: hostPrivate, public: hostKey } = ssh2.utils.generateKeyPairSync('ed25519');
  const server = new ssh2.Server({ hostKeys: [hostPrivate] }, (client) => {
    client.on('error', () => client.end());
    client.on('authentication', (context) => {
      const isIn =
        context.method === 'password' && context.username === 'monitor' && context.password === password;
      if (isIn) context.accept();
      else context.reject(['password']);
    });
    listFolders(client, tree);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return { port: address.port, hostKey, stop: () => void server.close() };
}
