// How much processor time and memory workerd uses, where /proc tells it: a busy machine stretches the time
// on the clock, but hardly this.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The workerd that a process has started, itself or through others; null where there is no /proc. */
export function workerdOf(ancestor) {
  const processes = processesOf("/proc");
  const isBelow = ({ parent }) => {
    for (let at = parent; at; at = processes.get(at)?.parent) if (at === ancestor) return true;
    return false;
  };
  const found = [...processes].find(([, process]) => process.name === "workerd" && isBelow(process));
  return found?.[0] ?? null;
}

/** Seconds of processor time that a process has used, in its own code and in the kernel, or null. */
export function cpuSeconds(id) {
  return id === null ? null : stat(id).ticks / ticksPerSecond();
}

/** The memory of a process that is in use, in megabytes, or null. */
export function residentMegabytes(id) {
  if (id === null) return null;
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, "utf8"));
  return Number(kilobytes) / 1000;
}

function processesOf(directory) {
  const processes = new Map();
  for (const name of list(directory)) {
    if (!/^\d+$/.test(name)) continue;
    try {
      processes.set(Number(name), stat(name));
    } catch {
      // It ended after it was listed.
    }
  }
  return processes;
}

function list(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function stat(id) {
  const text = readFileSync(`/proc/${id}/stat`, "utf8");
  // The name is in parentheses and may hold anything; numbers by proc(5) follow it.
  const nameEnd = text.lastIndexOf(")");
  const after = text.slice(nameEnd + 2).split(" ");
  const [parent, user, system] = [after[1], after[11], after[12]].map(Number);
  return { name: text.slice(text.indexOf("(") + 1, nameEnd), parent, ticks: user + system };
}

let ticks;

function ticksPerSecond() {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}
