// npm run images:smoke -- controller=ROOT api=ROOT frontend=ROOT satellite=ROOT
// Starts each unpacked image (buildah mount, docker export) as a container of the chart would, and asks whether it answers.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { containerMebibytes, satelliteMebibytes } from '../../../src/platform/node-flags.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { freePorts } from '../../cluster/free-ports.ts';
import { type ImageName, imageNames, imageSpecs } from '../image-specs.ts';
import { type RunningImage, runImage } from './run-image.ts';

const mebibyte = 1024 * 1024;
const patienceMs = 60_000;
const secret = 'smoke-secret-0123456789abcdef0123456789';
const kubeconfigFile = 'smoke-kubeconfig.yaml';

/** A cluster that nobody answers for: enough to start, to answer probes and to say that it is not ready. */
const kubeconfig = `apiVersion: v1
kind: Config
current-context: smoke
contexts: [{ name: smoke, context: { cluster: smoke, user: smoke } }]
clusters: [{ name: smoke, cluster: { server: "http://127.0.0.1:9" } }]
users: [{ name: smoke, user: { token: smoke } }]
`;

interface Question {
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  readonly status: number;
}

async function questionFor(name: ImageName): Promise<Question> {
  const [a = 0, b = 0, c = 0] = await freePorts(3);
  const ports = { HEALTH_PORT: `${a}`, METRICS_PORT: `${b}`, PORT: `${c}` };
  const cluster = {
    KUBECONFIG: `/${kubeconfigFile}`,
    POD_NAMESPACE: 'svc',
    INTERNAL_API_SECRET: secret,
    JWT_SECRET: secret,
  };
  const own = { EXTERNAL_URL: 'https://svc.example.com' };
  switch (name) {
    case 'controller':
    case 'api':
      return { env: { ...ports, ...cluster }, url: `http://127.0.0.1:${a}/healthz`, status: 200 };
    case 'frontend':
      return {
        env: { ...own, HTTP_PORT: `${a}`, HTTPS_PORT: `${b}`, API_URL: `http://127.0.0.1:${c}` },
        url: `http://127.0.0.1:${a}/healthz`,
        status: 200,
      };
    case 'satellite':
      return {
        env: { ...own, PORTS: `${a}`, SERVICE_NAMESPACE: 'shop', SERVICE_NAME: 'web' },
        url: `http://127.0.0.1:${a}/`,
        status: 503,
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

async function heapIn(root: string, name: ImageName, limitMebibytes: number): Promise<number> {
  const evaluate = 'console.log(Math.round(require("node:v8").getHeapStatistics().heap_size_limit / 1048576))';
  const running = runImage(root, imageSpecs[name].config, { env: {}, limitBytes: limitMebibytes * mebibyte, evaluate });
  await running.ended;
  return Number(running.log());
}

async function smoke(name: ImageName, root: string): Promise<boolean> {
  const { config } = imageSpecs[name];
  const limit = name === 'satellite' ? satelliteMebibytes : containerMebibytes;
  const { env, url, status } = await questionFor(name);
  const file = join(root, kubeconfigFile);
  writeFileSync(file, kubeconfig);
  try {
    const running = runImage(root, config, { env, limitBytes: limit * mebibyte });
    const answered = await answerOf(running, url);
    const code = await running.stop();
    const heaps = [await heapIn(root, name, limit), await heapIn(root, name, 4 * limit)];
    const good = answered === status && (heaps[1] ?? 0) > (heaps[0] ?? 0);
    const peak = running.peakBytes();
    const memory = peak === undefined ? 'no cgroup' : `peak ${Math.round(peak / mebibyte)} of ${limit} MiB`;
    console.log(
      `${good ? 'ok  ' : 'FAIL'} ${name}: ${answered ?? 'no answer'}, ended ${code}, ${memory}, heap ${heaps.join(' and ')} MiB`,
    );
    if (!good) console.log(running.log());
    return good;
  } finally {
    rmSync(file);
  }
}

const given = process.argv.slice(2).map((word) => word.split('=') as [ImageName, string | undefined]);
const wrong = given.find(([name, root]) => !imageNames.includes(name) || !root);
if (given.length === 0 || wrong !== undefined) {
  console.error(
    `Name each image with its root, such as controller=/mnt/controller; there are ${imageNames.join(', ')}.`,
  );
  process.exit(2);
}
let passed = true;
for (const [name, root] of given) passed = (await smoke(name, root ?? '')) && passed;
process.exitCode = passed ? 0 : 1;
