/** CPU and memory of a running process, from /proc. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** CPU seconds so far, all threads. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = Number(execFileSync('getconf', ['CLK_TCK']).toString());
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** Resident memory, MB. */
export function residentMb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/);
  return Number(line?.[1] ?? 0) / 1024;
}
