import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  apiserverArguments,
  apiserverUrl,
  controllerManagerArguments,
  etcdArguments,
  schedulerConfiguration,
} from './arguments.ts';
import { dyingWithParent } from './child-process.ts';
import { openClaimsFolder } from './claims-folder.ts';
import { parseCommand } from './command-line.ts';
import { newCredentials, tokenFile } from './credentials.ts';
import { freePorts, kernelsOwn, outside } from './free-ports.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { clusterFiles } from './layout.ts';
import { identify, isAlive, startTimeInStat } from './process-identity.ts';

const files = clusterFiles('/t');
const ports = { etcdClient: 1, etcdPeer: 2, apiserver: 3 };

describe('the processes', () => {
  it('listen on loopback alone', () => {
    const all = [...etcdArguments(files, ports), ...apiserverArguments(files, ports, true)];
    const addresses = all.filter((one) => /--(listen|bind|advertise|initial-advertise)/.test(one));
    expect(addresses).toHaveLength(6);
    for (const address of addresses) expect(address).toMatch(/=(http:\/\/)?127\.0\.0\.1(:\d+)?$/);
    expect(apiserverUrl(ports)).toBe('https://127.0.0.1:3');
  });

  it('have RBAC on, and each controller is its own account', () => {
    expect(apiserverArguments(files, ports, true)).toContain('--authorization-mode=RBAC');
    expect(controllerManagerArguments(files)).toContain('--use-service-account-credentials=true');
  });

  it('need no service account for a pod only when nobody creates accounts', () => {
    const without = '--disable-admission-plugins=ServiceAccount';
    expect(apiserverArguments(files, ports, true)).not.toContain(without);
    expect(apiserverArguments(files, ports, false)).toContain(without);
  });

  it('give the scheduler its own identity', () => {
    expect(JSON.parse(schedulerConfiguration(files)).clientConnection.kubeconfig).toBe('/t/scheduler.kubeconfig');
  });

  it('die with their parent where the kernel can promise it', () => {
    expect(dyingWithParent('/b/etcd', ['-x'], true)).toEqual([
      '/usr/bin/setpriv',
      ['--pdeathsig', 'KILL', '--', '/b/etcd', '-x'],
    ]);
    expect(dyingWithParent('/b/etcd', ['-x'], false)).toEqual(['/b/etcd', ['-x']]);
  });
});

describe('the credentials', () => {
  it('are one token a user, with the administrator in the masters’ group', () => {
    const credentials = newCredentials();
    const { adminToken, controllerManagerToken, schedulerToken } = credentials;
    expect(new Set([adminToken, controllerManagerToken, schedulerToken]).size).toBe(3);
    expect(tokenFile(credentials)).toBe(
      `${adminToken},admin,admin,"system:masters"\n` +
        `${controllerManagerToken},system:kube-controller-manager,kube-controller-manager,\n` +
        `${schedulerToken},system:kube-scheduler,kube-scheduler,\n`,
    );
  });
});

describe('a kubeconfig', () => {
  it('carries the certificate to verify the server with', () => {
    const text = kubeconfigText({
      name: 'n',
      server: 'https://h:1',
      certificateAuthority: 'PEM',
      token: 't',
      namespace: 's',
    });
    expect(parse(text)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'n', cluster: { server: 'https://h:1', 'certificate-authority-data': 'UEVN' } }],
      users: [{ name: 'n', user: { token: 't' } }],
      contexts: [{ name: 'n', context: { cluster: 'n', user: 'n', namespace: 's' } }],
      'current-context': 'n',
    });
  });

  it('leaves out what does not apply', () => {
    const config = parse(kubeconfigText({ name: 'n', server: 'http://h' }));
    expect(config.clusters[0].cluster).toEqual({ server: 'http://h' });
    expect(config.users[0].user).toEqual({});
  });
});

describe('the command line', () => {
  const rows: Record<string, [string[], object]> = {
    'starts five nodes unless told otherwise': [['up'], { act: 'up', nodes: 5 }],
    'takes the number of nodes': [['up', '--nodes', '12'], { act: 'up', nodes: 12 }],
    'picks a free port unless told otherwise': [['embedded'], { act: 'embedded', port: 0 }],
    'leaves the flags of kubectl alone': [
      ['kubectl', 'get', '-A', '--nodes'],
      { act: 'kubectl', args: ['get', '-A', '--nodes'] },
    ],
    'refuses no nodes': [
      ['up', '--nodes', '0'],
      { act: 'usage', problem: '--nodes is "0"; it must be a whole number from 1 to 1000' },
    ],
    'refuses a port that is none': [
      ['embedded', '--port', 'http'],
      { act: 'usage', problem: '--port is "http"; it must be a whole number from 0 to 65535' },
    ],
    'is asked what there is': [['--help'], { act: 'help' }],
    'names an unknown command': [['upp'], { act: 'usage', problem: 'unknown command "upp"' }],
    'asks for a command': [[], { act: 'usage', problem: 'no command given' }],
  };
  for (const [sentence, [argv, command]] of Object.entries(rows)) {
    it(sentence, () => expect(parseCommand(argv)).toEqual(command));
  }
});

describe('a process', () => {
  it('is known by its start time, whatever its name contains', () => {
    const rest = Array.from({ length: 20 }, (_, index) => String(index + 4)).join(' ');
    expect(startTimeInStat(`7 (a) b) S ${rest}`)).toBe('22');
    expect(startTimeInStat(`7 (a) Z ${rest}`)).toBeUndefined();
  });

  it('is alive while its number belongs to the same start', () => {
    const self = identify('self', process.pid);
    expect(isAlive(self)).toBe(true);
    expect(isAlive({ ...self, started: `${self.started}0` })).toBe(false);
    expect(isAlive(identify('nobody', 2 ** 30))).toBe(false);
  });
});

describe('free ports', () => {
  it('are all different', async () => {
    const found = await freePorts(5);
    expect(new Set(found).size).toBe(5);
  });

  it('are none that the kernel may give to somebody else before they are used', async () => {
    const [lowest, highest] = kernelsOwn();
    const found = await freePorts(20);
    expect(found.filter((port) => port >= lowest && port <= highest)).toEqual([]);
  });

  it('are given to one asker alone, though nobody listens yet', async () => {
    const found = [...(await freePorts(20)), ...(await freePorts(20))];
    expect(new Set(found).size).toBe(40);
  });

  const rows: Record<string, [kernels: [number, number], ours: [number, number]]> = {
    'below what Linux chooses from': [
      [32_768, 60_999],
      [10_000, 32_767],
    ],
    'above it where it begins early': [
      [1_024, 60_999],
      [61_000, 65_535],
    ],
    'anywhere where it has taken them all': [
      [1_024, 65_535],
      [10_000, 65_535],
    ],
  };
  it.each(Object.entries(rows))('are chosen %s', (_name, [kernels, ours]) => {
    expect(outside(kernels)).toEqual(ours);
  });
});

describe('the folder of claims', () => {
  it('is open to every user of the machine, whoever needs it first', async () => {
    const home = mkdtempSync(join(tmpdir(), 'svc-claims-'));
    try {
      const folder = join(home, 'claims');
      for (const _ of ['made', 'there already']) {
        await openClaimsFolder(folder);
        expect((statSync(folder).mode & 0o7777).toString(8)).toBe('1777');
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
