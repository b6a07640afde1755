/**
 * Lets another thread cancel the statement that PGlite runs. PostgreSQL looks at two flags in its memory whenever it
 * can stop; signals would set them, which WebAssembly doesn't have. So the memory is made shared, which is one bit
 * in the modules' imports of it, and the other thread sets the flags itself.
 *
 * Only for data directories that exist: PGlite's initdb doesn't work in shared memory.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PGliteOptions } from '@electric-sql/pglite';

/** Where the flags are; both are 32-bit numbers. */
export interface InterruptFlags {
  memory: SharedArrayBuffer;
  /** "There is something to look at." */
  pendingAt: number;
  /** "Cancel the statement." */
  cancelAt: number;
}

interface Memory {
  buffer: ArrayBuffer | SharedArrayBuffer;
}
interface MemoryDescriptor {
  initial: number;
  maximum?: number;
  shared?: boolean;
}
interface Instance {
  exports?: Readonly<Record<string, unknown>>;
}
type Module = NonNullable<PGliteOptions['pgliteWasmModule']>;
/** What is used of the global WebAssembly; the server's types don't have it. */
interface WebAssemblyGlobal {
  Module: new (bytes: Uint8Array) => Module;
  Memory: new (descriptor: MemoryDescriptor) => Memory;
  instantiate: (module: unknown, imports: unknown) => Promise<Instance>;
}

/** `env.memory`, imported as a memory (2), as a module's import section writes it. */
const MEMORY_IMPORT = Buffer.from('\x03env\x06memory\x02', 'latin1');
const IMPORT_SECTION = 2;
const HEADER_BYTES = 8;
const HAS_MAXIMUM = 1;
const IS_SHARED = 2;
/** 32,768 pages, PGlite's own limit, as the format writes numbers; shared memory has to name one. */
const MAXIMUM_PAGES = Buffer.from([0x80, 0x80, 0x02]);
/** The database's own memory; initdb asks for a much smaller one. */
const DATABASE_PAGES = 1024;

/** A number as the format writes it (LEB128), and where it ends. */
function readNumber(bytes: Buffer, from: number): { value: number; end: number } {
  let value = 0;
  let end = from;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    end += 1;
    if (byte < 0x80) return { value, end };
  }
}

function writeNumber(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Where the content of the import section lies; null where there is none. */
function findImports(bytes: Buffer): { start: number; from: number; end: number } | null {
  for (let start = HEADER_BYTES; start < bytes.length;) {
    const { value: size, end: from } = readNumber(bytes, start + 1);
    if (bytes[start] === IMPORT_SECTION) return { start, from, end: from + size };
    start = from + size;
  }
  return null;
}

/** The module's bytes with the memory that it imports shared; as they are where it imports none. */
function withSharedMemory(module: Uint8Array): Buffer {
  const bytes = Buffer.from(module);
  const section = findImports(bytes);
  const at = section === null ? -1 : bytes.indexOf(MEMORY_IMPORT, section.from);
  if (section === null || at < 0 || at >= section.end) return bytes;
  const flags = at + MEMORY_IMPORT.length;
  const { end } = readNumber(bytes, flags + 1);
  const maximum = bytes[flags] === HAS_MAXIMUM ? [] : [MAXIMUM_PAGES];
  bytes[flags] = HAS_MAXIMUM | IS_SHARED;
  const content = [bytes.subarray(section.from, end), ...maximum, bytes.subarray(end, section.end)];
  const size = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([
    bytes.subarray(0, section.start + 1),
    writeNumber(size),
    ...content,
    bytes.subarray(section.end),
  ]);
}

function addressOf(exported: unknown): number | null {
  const value: unknown =
    typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'value') : null;
  return typeof value === 'number' ? value : null;
}

export interface Interruptible {
  options: Pick<PGliteOptions, 'pgliteWasmModule'>;
  /** Where the flags are, once the database is open. */
  flags(): InterruptFlags | null;
}

/** The global exists in every Node; see the interface above. */
function webAssembly(): WebAssemblyGlobal {
  return Reflect.get(globalThis, 'WebAssembly') as WebAssemblyGlobal;
}

/** PGlite's code with its memory shared. Threads that compile it share the result while one of them holds it. */
export function compileInterruptible(): Module {
  const file = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm');
  return new (webAssembly().Module)(withSharedMemory(readFileSync(file)));
}

/**
 * Makes the next PGlite of this thread interruptible. Changes the thread's own WebAssembly global, because PGlite
 * makes its memory itself and loads further modules (languages, extensions) into it.
 */
export function makeInterruptible(): Interruptible {
  const pgliteWasmModule = compileInterruptible();
  const wasm = webAssembly();
  let memory: Memory | null = null;
  let pendingAt: number | null = null;
  let cancelAt: number | null = null;
  const { instantiate } = wasm;
  wasm.Memory = new Proxy(wasm.Memory, {
    construct(PlainMemory, [descriptor]: [MemoryDescriptor]) {
      const isDatabase = descriptor.initial >= DATABASE_PAGES;
      const made = new PlainMemory(isDatabase ? { ...descriptor, shared: true } : descriptor);
      if (isDatabase) memory = made;
      return made;
    },
  });
  wasm.Module = new Proxy(wasm.Module, {
    construct: (PlainModule, [bytes]: [Uint8Array]) => new PlainModule(withSharedMemory(bytes)),
  });
  wasm.instantiate = async (module, imports) => {
    const instance = await instantiate(module, imports);
    pendingAt = addressOf(instance.exports?.['InterruptPending']) ?? pendingAt;
    cancelAt = addressOf(instance.exports?.['QueryCancelPending']) ?? cancelAt;
    return instance;
  };
  return {
    options: { pgliteWasmModule },
    flags() {
      const buffer = memory?.buffer;
      if (!(buffer instanceof SharedArrayBuffer) || pendingAt === null || cancelAt === null) return null;
      return { memory: buffer, pendingAt, cancelAt };
    },
  };
}

/** Sets and clears the flags from outside; the database's thread sees them at once. */
export function createInterrupter({ memory, pendingAt, cancelAt }: InterruptFlags) {
  const words = new Int32Array(memory);
  return {
    cancel() {
      Atomics.store(words, cancelAt / Int32Array.BYTES_PER_ELEMENT, 1);
      Atomics.store(words, pendingAt / Int32Array.BYTES_PER_ELEMENT, 1);
    },
    /** While no statement runs: what came too late must not meet the next one. */
    clear() {
      Atomics.store(words, cancelAt / Int32Array.BYTES_PER_ELEMENT, 0);
    },
  };
}
