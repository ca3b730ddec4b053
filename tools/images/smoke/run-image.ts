import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageConfig } from '../image-specs.ts';

export interface RunningImage {
  /** What it wrote, both streams. */
  log(): string;
  /** The most memory that it ever held, as the kernel counted; undefined where there is no cgroup to put it into. */
  peakBytes(): number | undefined;
  /** Asks it to end, and resolves to its exit code. */
  stop(): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly limitBytes: number;
  /** Instead of the bundle: what Node is to evaluate. */
  readonly evaluate?: string;
}

/** Each becomes the next, so that a signal to the first reaches the process of the image. */
const enter = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --rbind /proc "$1/proc" && mount --rbind /sys "$1/sys" &&
  root="$1" && user="$2" && shift 2 && exec chroot --userspec="$user:$user" --groups= "$root" "$@"`;

/**
 * Runs an unpacked image as a container would: in its root, which is read-only, as its user, with its environment, and under a
 * memory limit of the kernel's. Needs root.
 */
export function runImage(root: string, config: ImageConfig, options: RunOptions): RunningImage {
  const group = memoryGroup(options.limitBytes);
  const limited = group === undefined ? enter : `echo $$ > '${join(group, 'cgroup.procs')}' && ${enter}`;
  const command =
    options.evaluate === undefined
      ? config.entrypoint
      : [...config.entrypoint.slice(0, -1), '--eval', options.evaluate];
  const args = [
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-c',
    limited,
    'sh',
    root,
    String(config.user),
    ...command,
  ];
  const child = spawn('unshare', args, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...config.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  let peak: number | undefined;
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      if (group !== undefined) {
        peak = peakOf(group);
        rmdirSync(group);
      }
      resolve(code);
    });
  });
  return {
    log: () => text,
    peakBytes: () => peak ?? (group === undefined || !existsSync(group) ? undefined : peakOf(group)),
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** A cgroup below our own, of either version; undefined where we may make none. */
function memoryGroup(limitBytes: number): string | undefined {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  const pathOf = (line: string | undefined) => line?.split(':').slice(2).join(':') ?? '';
  const old = lines.find((line) => line.split(':')[1]?.split(',').includes('memory'));
  const parent =
    old === undefined ? join('/sys/fs/cgroup', pathOf(lines[0])) : join('/sys/fs/cgroup/memory', pathOf(old));
  const folder = join(parent, `svc-smoke-${process.pid}-${groups++}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, old === undefined ? 'memory.max' : 'memory.limit_in_bytes'), String(limitBytes));
    return folder;
  } catch {
    return undefined;
  }
}

let groups = 0;

function peakOf(group: string): number {
  const files = ['memory.peak', 'memory.max_usage_in_bytes'].map((name) => join(group, name));
  return Number(readFileSync(files.find((file) => existsSync(file)) ?? '', 'utf8'));
}
