import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** What this process has given away, be it in use yet or not. */
const given = new Set<number>();

/**
 * Different ports that nobody listens on, for a process that has to be told its port before it starts. They are none that the
 * kernel gives to whoever asks for any port, or to a connection that goes out: those it may give away again before the
 * process is there.
 */
export async function freePorts(count: number): Promise<number[]> {
  const [lowest, highest] = outside(kernelsOwn());
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(lowest, highest + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

type PortRange = readonly [lowest: number, highest: number];

/** The ports that the kernel chooses from. */
export function kernelsOwn(): PortRange {
  try {
    const text = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const [lowest = 0, highest = 0] = text.trim().split(/\s+/).map(Number);
    return [lowest, highest];
  } catch {
    // Not Linux: what IANA set aside for it.
    return [49_152, 65_535];
  }
}

const leastChoice = 1_000;

/** Ports beside the kernel's own; some of its own where it has left too few. */
export function outside([lowest, highest]: PortRange): PortRange {
  if (lowest - 10_000 >= leastChoice) return [10_000, lowest - 1];
  if (65_535 - highest >= leastChoice) return [highest + 1, 65_535];
  return [10_000, 65_535];
}
