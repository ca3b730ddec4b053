import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asInContainer } from '../../../src/platform/node-flags.ts';
import { type ImageConfig, nodePath } from '../image-specs.ts';

const patienceMs = 60_000;
const mebibyte = 1024 * 1024;

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
  /** What the container is told beside the image's own variables; a path is given as the process will see it. */
  env(at: (path: string) => string): Readonly<Record<string, string>>;
  readonly limitBytes: number;
  /** Instead of the bundle: what Node is to evaluate. */
  readonly evaluate?: string;
}

/** Whether images are entered as a container is: that takes root, and in a container itself a right that most have not. */
export const entersRoots = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/**
 * Runs an unpacked image as a container would: in its root, which is read-only, as its user, in its folder, with its
 * environment, and under a memory limit of the kernel's. Who may not do that runs the same files, flags and variables
 * beside his own, in the same folder.
 */
export function runImage(root: string, config: ImageConfig, options: RunOptions): RunningImage {
  return entersRoots ? inItsRoot(root, config, options) : besideOurs(root, config, options);
}

function commandOf({ entrypoint }: ImageConfig, { evaluate }: RunOptions): readonly string[] {
  return evaluate === undefined ? entrypoint : [...entrypoint.slice(0, -1), '--eval', evaluate];
}

/** Each becomes the next, so that a signal to the first reaches the process of the image. */
const enter = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --rbind /proc "$1/proc" && mount --rbind /sys "$1/sys" &&
  root="$1" && folder="$2" && user="$3" && shift 3 && exec unshare --root="$root" --wd="$folder" --setgid="$user" --setuid="$user" -- "$@"`;

function inItsRoot(root: string, config: ImageConfig, options: RunOptions): RunningImage {
  const group = memoryGroup(options.limitBytes);
  const limited = group === undefined ? enter : `echo $$ > '${join(group, 'cgroup.procs')}' && ${enter}`;
  const command = commandOf(config, options);
  // Where no cgroup says it, Node does not know of the limit.
  const words = group === undefined ? asInContainer(command, options.limitBytes / mebibyte) : command;
  const inside = [root, config.workingDirectory, String(config.user), ...words];
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', limited, 'sh', ...inside], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...config.env, ...options.env((path) => path) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watched(child, group);
}

function besideOurs(root: string, config: ImageConfig, options: RunOptions): RunningImage {
  const at = (path: string) => join(root, path);
  const moved = commandOf(config, options).map((word) =>
    word === nodePath || word.startsWith(`${config.workingDirectory}/`) ? at(word) : word,
  );
  const [command = '', ...args] = asInContainer(moved, options.limitBytes / mebibyte);
  const child = spawn(command, args, {
    cwd: at(config.workingDirectory),
    env: { ...config.env, ...options.env(at) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watched(child, undefined);
}

function watched(child: ChildProcess, group: string | undefined): RunningImage {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  let peak: number | undefined;
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      text += error.message;
      resolve(127);
    });
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
      // As a kubelet would, with more patience; that it did not end by itself is then seen by its code.
      const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      return ended.finally(() => clearTimeout(patience));
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
