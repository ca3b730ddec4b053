import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePorts } from '../../tools/cluster/free-ports.ts';
import { imageSpecs, nodePath } from '../../tools/images/image-specs.ts';
import { type AssembledImages, assembleImages } from './harness/images.ts';
import { ContainerProcess } from './harness/kubelet/container-process.ts';

const mebibyte = 1024 * 1024;

let images: AssembledImages;
let satellite: ContainerProcess;
let port: number;

beforeAll(async () => {
  images = await assembleImages(['satellite']);
  [port = 0] = await freePorts(1);
  const { config } = imageSpecs.satellite;
  const tree = `${images.folder}/satellite`;
  const ours = (word: string) => (word.startsWith('/app/') || word === nodePath ? `${tree}${word}` : word);
  const env = {
    ...config.env,
    PORTS: `${port}`,
    SERVICE_NAMESPACE: 'shop',
    SERVICE_NAME: 'web',
    EXTERNAL_URL: 'https://svc.example.com',
  };
  satellite = new ContainerProcess(
    {
      name: 'satellite',
      command: config.entrypoint.map(ours),
      env,
      user: config.user,
      group: 1000,
      portOf: () => port,
    },
    () => {},
  );
});

afterAll(async () => {
  await satellite?.terminate(5_000);
  await images?.remove();
});

describe('the image of a satellite, as a process', () => {
  it('answers callers of the service that sleeps, within its memory', async () => {
    const answer = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), { timeout: 10_000, interval: 50 });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const { residentBytes = 0, anonymousBytes = 0 } = satellite.memory() ?? {};
    console.log(
      `satellite: ${Math.round(residentBytes / mebibyte)} MiB resident, ${Math.round(anonymousBytes / mebibyte)} anonymous`,
    );
    expect(residentBytes / mebibyte).toBeLessThan(70);
  });
});
