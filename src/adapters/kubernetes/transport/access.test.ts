import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../../../embedded-cluster/time/virtual-clock.ts';
import { findAccess, kubeconfigAccess } from './access.ts';
import { serviceAccountFolderVariable } from './in-cluster.ts';

let folder: string;
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-access-'));
  clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe('in a cluster', () => {
  const env = (host = '10.0.0.1') => ({
    KUBERNETES_SERVICE_HOST: host,
    KUBERNETES_SERVICE_PORT: '443',
    [serviceAccountFolderVariable]: folder,
  });
  beforeEach(() => {
    file('token', 'one\n');
    file('ca.crt', 'CA');
    file('namespace', 'svc\n');
  });

  it('uses the service account', async () => {
    const { credential, ...rest } = await findAccess({ env: env(), clock });
    expect(rest).toEqual({ server: 'https://10.0.0.1:443', ca: 'CA', insecureSkipTlsVerify: false, namespace: 'svc' });
    expect(await credential.current()).toEqual({ token: 'one' });
  });

  it('writes an IPv6 host in brackets', async () => {
    expect((await findAccess({ env: env('fd00::1'), clock })).server).toBe('https://[fd00::1]:443');
  });

  it('reads a rotated token within a minute, and at once when asked to', async () => {
    const { credential } = await findAccess({ env: env(), clock });
    file('token', 'two');
    await clock.advance(59_999);
    expect(await credential.current()).toEqual({ token: 'one' });
    await clock.advance(1);
    expect(await credential.current()).toEqual({ token: 'two' });
    file('token', 'three');
    expect(await credential.renew()).toEqual({ token: 'three' });
  });

  it('keeps the token it has while the file is gone or empty', async () => {
    const { credential } = await findAccess({ env: env(), clock });
    file('token', '');
    expect(await credential.renew()).toEqual({ token: 'one' });
    rmSync(join(folder, 'token'));
    expect(await credential.renew()).toEqual({ token: 'one' });
  });

  it.each([
    ['token', /^The token file .*\/token cannot be read: ENOENT/],
    ['ca.crt', /^The service account file .*\/ca\.crt cannot be read: ENOENT/],
    ['namespace', /^The service account file .*\/namespace cannot be read: ENOENT/],
  ])('names the file that is missing: %s', async (name, message) => {
    rmSync(join(folder, name));
    await expect(findAccess({ env: env(), clock })).rejects.toThrow(message);
  });
});

const config = (parts: { cluster?: string; user?: string; context?: string }) => `
current-context: one
contexts: [{name: one, context: {cluster: c, user: u, ${parts.context ?? ''}}}]
clusters: [{name: c, cluster: {server: "https://10.0.0.1:6443", ${parts.cluster ?? ''}}}]
users: [{name: u, user: {${parts.user ?? ''}}}]
`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const access = (content: string, extra: object = {}) =>
  kubeconfigAccess({ env: {}, clock, kubeconfig: file('config', content), ...extra });

describe('a kubeconfig', () => {
  it('gives server, authority, name, namespace and token', async () => {
    const { credential, ...rest } = await access(
      config({
        cluster: `certificate-authority-data: ${base64('CA')}, tls-server-name: api, insecure-skip-tls-verify: true`,
        user: 'token: abc',
        context: 'namespace: shop',
      }),
    );
    expect(rest).toEqual({
      server: 'https://10.0.0.1:6443',
      ca: 'CA',
      insecureSkipTlsVerify: true,
      tlsServerName: 'api',
      namespace: 'shop',
    });
    expect(await credential.current()).toEqual({ token: 'abc' });
  });

  it('reads files relative to itself, and data wins over files', async () => {
    file('ca.pem', 'CA of a file');
    file('key.pem', 'KEY');
    file('cert.pem', 'not this');
    const found = await access(
      config({
        cluster: 'certificate-authority: ca.pem',
        user: `client-certificate: cert.pem, client-certificate-data: ${base64('CERT')}, client-key: key.pem`,
      }),
    );
    expect(found.ca).toBe('CA of a file');
    expect(await found.credential.current()).toEqual({ certificate: { cert: 'CERT', key: 'KEY' } });
  });

  it('follows a token file', async () => {
    file('token', 'first');
    const { credential } = await access(config({ user: 'tokenFile: token' }));
    expect(await credential.current()).toEqual({ token: 'first' });
    file('token', 'second');
    expect(await credential.renew()).toEqual({ token: 'second' });
  });

  it('merges the files of KUBECONFIG: the first to name something wins, a missing file is passed over', async () => {
    const first = file('first', 'current-context: two\nusers: [{name: u, user: {token: of the first}}]');
    const second = file('second', `${config({ user: 'token: of the second' })}`.replace('{name: one,', '{name: two,'));
    const env = { KUBECONFIG: `${first}:${join(folder, 'missing')}:${second}` };
    const found = await findAccess({ env, clock });
    expect(found.server).toBe('https://10.0.0.1:6443');
    expect(await found.credential.current()).toEqual({ token: 'of the first' });
  });

  it('is found in the home folder, and a named one wins over the cluster that we run in', async () => {
    mkdirSync(join(folder, '.kube'));
    file('.kube/config', config({}));
    expect((await findAccess({ env: { HOME: folder }, clock })).namespace).toBe('default');
    const env = {
      KUBERNETES_SERVICE_HOST: 'x',
      KUBERNETES_SERVICE_PORT: '1',
      KUBECONFIG: join(folder, '.kube/config'),
    };
    expect((await findAccess({ env, clock })).server).toBe('https://10.0.0.1:6443');
  });

  it.each([
    [
      'no file',
      () => kubeconfigAccess({ env: {}, clock, kubeconfig: '/nowhere/config' }),
      'There is no kubeconfig at /nowhere/config; name one with KUBECONFIG or --kubeconfig.',
    ],
    ['no YAML', () => access('a: [b'), /^The kubeconfig .*\/config is not valid YAML: /],
    ['not an object', () => access('- a'), /config must hold an object with clusters, contexts and users\.$/],
    ['no list', () => access('users: {}'), /config: users must be a list\.$/],
    ['a nameless entry', () => access('users: [{user: {}}]'), /config: users\[0\] has no name\.$/],
    [
      'no current context',
      () => access('contexts: []'),
      /^The kubeconfig .*\/config has no current-context; name a context\.$/,
    ],
    [
      'an unknown context',
      () => access(config({}), { context: 'two' }),
      /^There is no context two in .*\/config; it has one\.$/,
    ],
    [
      'an unknown cluster',
      () => access(config({}).replace('name: c,', 'name: d,')),
      /^The context one of .*\/config names the cluster c, which is not in .*\/config\.$/,
    ],
    [
      'an unknown user',
      () => access(config({}).replace('name: u,', 'name: v,')),
      /^The context one of .*\/config names the user u, which is not in/,
    ],
    [
      'no server',
      () => access(config({}).replace('https://10.0.0.1:6443', '')),
      /^Cluster c of .*\/config: server must be a URL such as https:\/\/10\.0\.0\.1:6443; it is ""\.$/,
    ],
    [
      'a proxy',
      () => access(config({ cluster: 'proxy-url: http://p' })),
      /proxy-url is not supported; reach the server directly\.$/,
    ],
    [
      'a missing file',
      () => access(config({ cluster: 'certificate-authority: gone.pem' })),
      /^c of .*\/config: certificate-authority .*\/gone\.pem cannot be read: ENOENT/,
    ],
    [
      'a certificate without its key',
      () => access(config({ user: `client-certificate-data: ${base64('x')}` })),
      /^User u of .*\/config: client-key or client-key-data is missing; a certificate needs its key\.$/,
    ],
    [
      'an old plugin',
      () => access(config({ user: 'auth-provider: {name: gcp}' })),
      /auth-provider was removed from Kubernetes; use exec\.$/,
    ],
    [
      'an unknown exec version',
      () => access(config({ user: 'exec: {apiVersion: v0, command: x}' })),
      /exec\.apiVersion must be one of client\.authentication\.k8s\.io\/v1, client\.authentication\.k8s\.io\/v1beta1; it is "v0"\.$/,
    ],
    [
      'exec without a command',
      () => access(config({ user: 'exec: {apiVersion: client.authentication.k8s.io/v1}' })),
      /exec\.command is missing\.$/,
    ],
    [
      'exec that asks a person',
      () =>
        access(
          config({ user: 'exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always}' }),
        ),
      /interactiveMode is Always, but there is nobody to ask; use IfAvailable or Never\.$/,
    ],
  ] as const)('is refused with what is wrong: %s', async (_, load, message) => {
    await expect(load()).rejects.toThrow(message);
  });
});

describe('a credential plugin', () => {
  /** A plugin that counts its runs and prints what it is told. */
  function plugin(status: string, version = 'client.authentication.k8s.io/v1') {
    const script = file(
      'plugin.sh',
      `#!/bin/sh\necho run >> ${folder}/runs\nprintf '%s' "$KUBERNETES_EXEC_INFO" > ${folder}/info\necho '{"apiVersion":"${version}","kind":"ExecCredential","status":'"${status}"'}'\n`,
    );
    chmodSync(script, 0o755);
    const user =
      'exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, args: [a], env: [{name: TOKEN, value: t0}], provideClusterInfo: true}';
    return access(config({ user }));
  }
  const runs = () => readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1;

  it('is run once for many requests, with its environment, and again when its answer is about to expire', async () => {
    const { credential } = await plugin(
      '{\\"token\\":\\"$TOKEN\\",\\"expirationTimestamp\\":\\"2026-01-01T01:00:00Z\\"}',
    );
    expect(await Promise.all([credential.current(), credential.current()])).toEqual([{ token: 't0' }, { token: 't0' }]);
    await clock.advance(3_569_999);
    await credential.current();
    expect(runs()).toBe(1);
    await clock.advance(1);
    await credential.current();
    expect(runs()).toBe(2);
    expect(JSON.parse(readFileSync(join(folder, 'info'), 'utf8'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://10.0.0.1:6443' } },
    });
  });

  it('may give a certificate', async () => {
    const { credential } = await plugin('{\\"clientCertificateData\\":\\"C\\",\\"clientKeyData\\":\\"K\\"}');
    expect(await credential.current()).toEqual({ certificate: { cert: 'C', key: 'K' } });
  });

  it.each([
    [
      '{}',
      undefined,
      /plugin\.sh of user u returned neither status\.token nor status\.clientCertificateData with status\.clientKeyData\.$/,
    ],
    [
      '{}',
      'v0',
      /plugin\.sh of user u printed v0 ExecCredential; it must print client\.authentication\.k8s\.io\/v1 ExecCredential\.$/,
    ],
    ['{', undefined, /plugin\.sh of user u printed no JSON; it must print an ExecCredential\.$/],
  ] as const)('is refused when it answers %s %s', async (status, version, message) => {
    const { credential } = await plugin(status, version);
    await expect(credential.current()).rejects.toThrow(message);
  });

  it('is named when it fails or is not there, with its hint', async () => {
    const exec = (command: string) =>
      access(
        config({
          user: `exec: {apiVersion: client.authentication.k8s.io/v1, command: ${command}, installHint: Install it., args: [-c, "echo no login >&2; exit 3"]}`,
        }),
      );
    await expect((await exec('sh')).credential.current()).rejects.toThrow(
      'The credential plugin sh of user u failed: no login.',
    );
    await expect((await exec('no-such-plugin')).credential.current()).rejects.toThrow(
      'The credential plugin no-such-plugin of user u failed: the command was not found. Install it.',
    );
  });

  it('is not there where PATH leads to nothing that may be run', async () => {
    chmodSync(file('no-such-plugin', ''), 0o600);
    vi.stubEnv('PATH', folder);
    const exec = config({ user: 'exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin}' });
    await expect((await access(exec)).credential.current()).rejects.toThrow('the command was not found');
  });
});
