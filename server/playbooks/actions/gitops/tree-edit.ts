/**
 * The files of a commit, changed without a folder of files: trees are read where a path leads, and only what changed is
 * written. So nothing that a repository holds (links, names such as `.git`) is ever a path on this machine.
 */
import { readBlob, readTree, writeBlob, writeTree } from 'isomorphic-git';
import type { FsClient } from 'isomorphic-git';
import { AppError } from '../../../../src/contract/errors.ts';

/** A folder of files of a repository's store. */
export interface ObjectStore {
  fs: FsClient;
  gitdir: string;
  cache: object;
}

const FILE = '100644';
const FOLDER = '040000';
const FILES: ReadonlySet<string> = new Set([FILE, '100755']);
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Of one pattern; more is a mistake. */
const MAX_MATCHES = 500;

interface Leaf {
  mode: string;
  oid: string;
  type: 'blob' | 'commit';
}

interface Folder {
  type: 'tree';
  /** Null once something in it changed. */
  oid: string | null;
  entries: Map<string, Leaf | Folder> | null;
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

/** `*` and `?` stay within a name, `**` does not. */
function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*\*\/|\*\*|\*|\?/g, (sign) =>
      sign === '**/' ? '(?:.*/)?' : sign === '**' ? '.*' : sign === '*' ? '[^/]*' : '[^/]',
    );
  return new RegExp(`^${source}$`);
}

/** One commit's files. */
export class TreeEdit {
  private readonly store: ObjectStore;
  private readonly root: Folder;

  constructor(store: ObjectStore, oid: string) {
    this.store = store;
    this.root = { type: 'tree', oid, entries: null };
  }

  /** The files that the path means; none where there are none. */
  async matching(path: string): Promise<string[]> {
    if (!/[*?]/.test(path)) return (await this.leafAt(path)) === null ? [] : [namesOf(path).join('/')];
    const pattern = patternOf(namesOf(path).join('/'));
    const found: string[] = [];
    for await (const name of this.filesBelow(this.root, '')) if (pattern.test(name)) found.push(name);
    if (found.length > MAX_MATCHES)
      throw new AppError(
        'invalid',
        `"${path}" means ${found.length} files; ${MAX_MATCHES} may be changed at once`,
      );
    return found.toSorted();
  }

  /** The file's text; null where there is none. */
  async read(path: string): Promise<string | null> {
    const leaf = await this.leafAt(path);
    if (leaf === null) return null;
    const { blob } = await readBlob({ ...this.store, oid: leaf.oid });
    if (blob.length > MAX_FILE_BYTES)
      throw new AppError('invalid', `${path} is larger than ${MAX_FILE_BYTES} bytes`);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(blob);
    } catch (error) {
      throw new AppError('invalid', `${path} is no text`, { cause: error });
    }
  }

  /** Writes the file with its folders; null takes it away. Answers whether anything changed. */
  async write(path: string, content: string | null): Promise<boolean> {
    const names = namesOf(path);
    const name = names.pop() ?? '';
    const before = await this.leafAt(path);
    if (content === null && before === null) return false;
    const folder = await this.folderAt(names, path);
    const entries = await this.entriesOf(folder);
    if (content === null) {
      entries.delete(name);
      return true;
    }
    const taken = entries.get(name);
    if (taken !== undefined && before === null)
      throw new AppError('invalid', `${path} is a folder, a link or another repository there`);
    const oid = await writeBlob({ ...this.store, blob: new TextEncoder().encode(content) });
    if (oid === before?.oid) return false;
    entries.set(name, { type: 'blob', mode: before?.mode ?? FILE, oid });
    return true;
  }

  /** The tree with all that changed. */
  async save(): Promise<string> {
    return (await this.saved(this.root)) ?? writeTree({ ...this.store, tree: [] });
  }

  /** Null for a folder with nothing in it: git has none. */
  private async saved(folder: Folder): Promise<string | null> {
    if (folder.oid !== null) return folder.oid;
    const tree: { mode: string; path: string; oid: string; type: 'blob' | 'commit' | 'tree' }[] = [];
    for (const [path, entry] of folder.entries ?? []) {
      if (entry.type !== 'tree') tree.push({ ...entry, path });
      else {
        const oid = await this.saved(entry);
        if (oid !== null) tree.push({ mode: FOLDER, path, oid, type: 'tree' });
      }
    }
    return tree.length === 0 ? null : writeTree({ ...this.store, tree });
  }

  private async entriesOf(folder: Folder): Promise<Map<string, Leaf | Folder>> {
    if (folder.entries !== null) return folder.entries;
    const { tree } = await readTree({ ...this.store, oid: folder.oid ?? '' });
    folder.entries = new Map(
      tree.map(({ path, mode, oid, type }): [string, Leaf | Folder] => [
        path,
        type === 'tree' ? { type, oid, entries: null } : { type, mode, oid },
      ]),
    );
    return folder.entries;
  }

  /** A file, no link and nothing else. */
  private async leafAt(path: string): Promise<Leaf | null> {
    const names = namesOf(path);
    const last = names.pop() ?? '';
    let folder = this.root;
    for (const name of names) {
      const next = (await this.entriesOf(folder)).get(name);
      if (next?.type !== 'tree') return null;
      folder = next;
    }
    const found = (await this.entriesOf(folder)).get(last);
    return found !== undefined && found.type === 'blob' && FILES.has(found.mode) ? found : null;
  }

  /** Makes what is missing; what is on the way is to be written anew. */
  private async folderAt(names: readonly string[], path: string): Promise<Folder> {
    let folder = this.root;
    const way = [folder];
    for (const name of names) {
      const entries = await this.entriesOf(folder);
      const next = entries.get(name) ?? { type: 'tree', oid: null, entries: new Map() };
      if (next.type !== 'tree') throw new AppError('invalid', `${path}: "${name}" is no folder there`);
      entries.set(name, next);
      folder = next;
      way.push(folder);
    }
    for (const one of way) {
      await this.entriesOf(one);
      one.oid = null;
    }
    return folder;
  }

  private async *filesBelow(folder: Folder, place: string): AsyncGenerator<string> {
    for (const [name, entry] of await this.entriesOf(folder)) {
      if (entry.type === 'tree') yield* this.filesBelow(entry, `${place}${name}/`);
      else if (entry.type === 'blob' && FILES.has(entry.mode)) yield `${place}${name}`;
    }
  }
}
