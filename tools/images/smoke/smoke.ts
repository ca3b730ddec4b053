import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { containerMebibytes, satelliteMebibytes } from '../../../src/platform/node-flags.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { freePorts } from '../../cluster/free-ports.ts';
import { type ImageName, imageSpecs } from '../image-specs.ts';
import { entersRoots, type RunningImage, type RunOptions, runImage } from './run-image.ts';

const mebibyte = 1024 * 1024;
const patienceMs = 60_000;
const secret = 'smoke-secret-0123456789abcdef0123456789';
const kubeconfigPath = '/smoke-kubeconfig.yaml';

/** A cluster that nobody answers for: enough to start, to answer probes and to say that it is not ready. */
const kubeconfig = `apiVersion: v1
kind: Config
current-context: smoke
contexts: [{ name: smoke, context: { cluster: smoke, user: smoke } }]
clusters: [{ name: smoke, cluster: { server: "http://127.0.0.1:9" } }]
users: [{ name: smoke, user: { token: smoke } }]
`;

/** Who a process of the image is, as it sees itself. */
interface Self {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly folder: string;
  /** Why it cannot write beside its own bundle; empty when it can. */
  readonly readOnly: string;
  readonly heapMebibytes: number;
}

export interface Smoke {
  readonly name: ImageName;
  readonly answered: number | undefined;
  readonly endedWith: number | null;
  readonly limitMebibytes: number;
  readonly peakMebibytes: number | undefined;
  readonly self: Self;
  /** With four times the memory. */
  readonly larger: Self;
  readonly log: string;
}

interface Question {
  readonly env: RunOptions['env'];
  readonly url: string;
}

/** What a caller of a satellite gets is its page: the service sleeps. */
const goodAnswer: Readonly<Record<ImageName, number>> = { controller: 200, api: 200, frontend: 200, satellite: 503 };

/** Starts an unpacked image as the chart does, asks whether it answers, and ends it. */
export async function smoke(name: ImageName, root: string): Promise<Smoke> {
  const { config } = imageSpecs[name];
  const limitMebibytes = name === 'satellite' ? satelliteMebibytes : containerMebibytes;
  const { env, url } = await questionFor(name);
  const file = join(root, kubeconfigPath);
  writeFileSync(file, kubeconfig);
  try {
    const running = runImage(root, config, { env, limitBytes: limitMebibytes * mebibyte });
    const answered = await answerOf(running, url);
    const endedWith = await running.stop();
    const peak = running.peakBytes();
    return {
      name,
      answered,
      endedWith,
      limitMebibytes,
      peakMebibytes: peak === undefined ? undefined : Math.round(peak / mebibyte),
      self: await selfIn(root, name, limitMebibytes),
      larger: await selfIn(root, name, 4 * limitMebibytes),
      log: running.log(),
    };
  } finally {
    rmSync(file);
  }
}

/** What is not as the image and the chart say; nothing when all is well. */
export function smokeProblems({ name, answered, endedWith, self, larger, peakMebibytes, ...rest }: Smoke): string[] {
  const { user, workingDirectory } = imageSpecs[name].config;
  const good = goodAnswer[name];
  const problems: string[] = [];
  const say = (wrong: boolean, problem: string) => void (wrong && problems.push(problem));
  say(answered !== good, `it answered ${answered ?? 'nothing'} instead of ${good}`);
  say(endedWith !== 0, `it ended with ${endedWith} when it was asked to end`);
  say((peakMebibytes ?? 0) > rest.limitMebibytes, `it took ${peakMebibytes} of ${rest.limitMebibytes} MiB`);
  say(larger.heapMebibytes <= self.heapMebibytes, `four times the memory is no more heap: ${larger.heapMebibytes} MiB`);
  say(!self.folder.endsWith(workingDirectory), `it runs in ${self.folder} instead of ${workingDirectory}`);
  if (!entersRoots) return problems;
  say(self.folder !== workingDirectory, `it runs in ${self.folder} instead of ${workingDirectory}`);
  say(self.uid !== user || self.gid !== user, `it runs as ${self.uid}:${self.gid} instead of ${user}`);
  say(
    self.groups.some((group) => group !== user),
    `it has the groups ${self.groups.join(', ')} of somebody else`,
  );
  say(self.readOnly !== 'EROFS', `its root is not read-only: ${self.readOnly || 'it wrote a file'}`);
  return problems;
}

async function questionFor(name: ImageName): Promise<Question> {
  const [a = 0, b = 0, c = 0] = await freePorts(3);
  const ports = { HEALTH_PORT: `${a}`, METRICS_PORT: `${b}`, PORT: `${c}` };
  const cluster = { POD_NAMESPACE: 'svc', INTERNAL_API_SECRET: secret, JWT_SECRET: secret };
  const own = { EXTERNAL_URL: 'https://svc.example.com' };
  switch (name) {
    case 'controller':
    case 'api':
      return {
        env: (at) => ({ ...ports, ...cluster, KUBECONFIG: at(kubeconfigPath) }),
        url: `http://127.0.0.1:${a}/healthz`,
      };
    case 'frontend':
      return {
        env: () => ({ ...own, HTTP_PORT: `${a}`, HTTPS_PORT: `${b}`, API_URL: `http://127.0.0.1:${c}` }),
        url: `http://127.0.0.1:${a}/healthz`,
      };
    case 'satellite':
      return {
        env: () => ({ ...own, PORTS: `${a}`, SERVICE_NAMESPACE: 'shop', SERVICE_NAME: 'web' }),
        url: `http://127.0.0.1:${a}/`,
      };
  }
}

async function answerOf(running: RunningImage, url: string): Promise<number | undefined> {
  const deadline = systemClock.monotonic() + patienceMs;
  let over = false;
  void running.ended.then(() => {
    over = true;
  });
  while (!over && systemClock.monotonic() < deadline) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return answer.status;
    await sleep(systemClock, 50);
  }
  return undefined;
}

const look = `
const tried = () => { try { require('node:fs').writeFileSync('svc-smoke-written', ''); return ''; } catch (error) { return error.code; } };
console.log(JSON.stringify({
  uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(), folder: process.cwd(), readOnly: tried(),
  heapMebibytes: Math.round(require('node:v8').getHeapStatistics().heap_size_limit / 1048576),
}))`;

async function selfIn(root: string, name: ImageName, limitMebibytes: number): Promise<Self> {
  const limitBytes = limitMebibytes * mebibyte;
  const running = runImage(root, imageSpecs[name].config, { env: () => ({}), limitBytes, evaluate: look });
  await running.ended;
  try {
    return JSON.parse(running.log()) as Self;
  } catch {
    throw new Error(`Node of the image ${name} does not run: ${running.log()}`);
  }
}
