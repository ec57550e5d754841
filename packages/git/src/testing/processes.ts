/** Lists processes, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  parent: number;
  group: number;
  command: string;
}

/** All descendants of a process, without zombies. */
export function childrenOf(pid: number): Process[] {
  const all = processes();
  const below = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** Those that a tracer follows: also what is no longer below it, because its parent has ended. */
export function tracedBy(tracer: number): Process[] {
  return processes().filter(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nTracerPid:\t${tracer}\n`);
    } catch {
      return false; // it has just ended
    }
  });
}

export function membersOf(group: number): Process[] {
  return processes().filter((one) => one.group === group);
}

export function isRunning(pid: number): boolean {
  return processes().some((one) => one.pid === pid);
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent: Number(parent), group: Number(group), command }];
      } catch {
        return []; // it has just ended
      }
    });
}
