/** CPU time and memory of processes, and how busy the machine is with others, from /proc. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK']).toString());
const msOf = (ticks: number) => (ticks / TICKS_PER_SECOND) * 1000;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** Of the process and of its ended children. */
  cpuMs: number;
}

function processTimes(): ProcessTimes[] {
  const found: ProcessTimes[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      found.push({ pid: Number(name), parent: Number(fields[1]), cpuMs: msOf(ticks) });
    } catch {
      // It ended while it was looked at.
    }
  }
  return found;
}

/** A process and everything that it started. */
function treeOf(root: number): ProcessTimes[] {
  const all = processTimes();
  const inside = new Set([root]);
  for (let before = 0; before < inside.size;) {
    before = inside.size;
    for (const one of all) if (inside.has(one.parent)) inside.add(one.pid);
  }
  return all.filter((one) => inside.has(one.pid));
}

/** CPU time so far of a process and of everything that it started, ms. */
function treeCpuMs(root: number): number {
  return treeOf(root).reduce((sum, one) => sum + one.cpuMs, 0);
}

/** Begins to count; what it answers says how much of one core that process and all that it started took since, in percent. */
export function countCpu(root: number): () => number {
  const [cpuMs, at] = [treeCpuMs(root), performance.now()];
  return () => ((treeCpuMs(root) - cpuMs) / (performance.now() - at)) * 100;
}

/** Of a process and of everything that it started, those whose command is asked for. */
export function processesOf(root: number, isCounted: (command: string) => boolean): number[] {
  return treeOf(root).flatMap(({ pid }) => {
    try {
      return isCounted(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? [pid] : [];
    } catch {
      // It ended while it was looked at.
      return [];
    }
  });
}

/** Memory of a process and of everything that it started, what they share counted once, MB. */
export function treeMb(root: number, isCounted: (command: string) => boolean = () => true): number {
  let kilobytes = 0;
  for (const pid of processesOf(root, isCounted)) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // It ended while it was looked at.
    }
  }
  return kilobytes / 1024;
}

/** The cores that this process may use. */
function allowedCores(): Set<string> {
  const list = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const cores = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => `cpu${first + at}`);
  });
  return new Set(cores);
}

/** Their names, for the head of a result. */
export const CORES = [...allowedCores()].join(' ');

/** How long those cores have been busy, ms. */
function busyMs(): number {
  const cores = allowedCores();
  let ticks = 0;
  for (const line of readFileSync('/proc/stat', 'utf8').split('\n')) {
    const [name = '', user, nice, system, , , irq, softIrq, steal] = line.split(/\s+/);
    if (!cores.has(name)) continue;
    for (const part of [user, nice, system, irq, softIrq, steal]) ticks += Number(part ?? 0);
  }
  return msOf(ticks);
}

/** Begins to watch; answers how many cores others kept busy since, and what the benchmark itself used. */
export function watchMachine(): () => { cpuMs: number; load: number } {
  const started = { at: performance.now(), busy: busyMs(), own: treeCpuMs(process.pid) };
  return () => {
    const cpuMs = Math.max(0, treeCpuMs(process.pid) - started.own);
    const others = Math.max(0, busyMs() - started.busy - cpuMs);
    return { cpuMs, load: others / Math.max(1, performance.now() - started.at) };
  };
}
