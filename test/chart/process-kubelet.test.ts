import { describe, expect, it } from 'vitest';
import { ContainerProcess, type ContainerStart } from './harness/kubelet/container-process.ts';

const start = (script: string, more: Partial<ContainerStart> = {}): ContainerStart => ({
  name: 'test',
  command: [process.execPath, '--eval', script],
  env: {},
  user: 1000,
  group: 1000,
  portOf: () => 1,
  ...more,
});

describe('a container of the process kubelet', () => {
  it('is killed when it passes 128 MiB', async () => {
    const grow = 'const all = []; setInterval(() => all.push(Buffer.alloc(8 * 1024 * 1024, 1)), 20);';
    const container = new ContainerProcess(start(grow), () => {});
    expect(await container.ended).toEqual({ code: 137, reason: 'OOMKilled' });
  });

  it('runs as the user of its security context, without privileges', async () => {
    const container = new ContainerProcess(start('console.log(process.getuid(), process.getgid())'), () => {});
    expect(await container.ended).toEqual({ code: 0, reason: 'Completed' });
    const expected = process.getuid?.() === 0 ? '1000 1000' : `${process.getuid?.()} ${process.getgid?.()}`;
    expect(container.log.at(-1)).toBe(expected);
  });

  it('is killed when its start-up probe gives up', async () => {
    const startup = { httpGet: { path: '/healthz', port: 1 }, failureThreshold: 1, periodSeconds: 1 };
    const container = new ContainerProcess(start('setInterval(() => {}, 1000)', { startup }), () => {});
    expect((await container.ended).reason).toBe('Error');
  });
});
