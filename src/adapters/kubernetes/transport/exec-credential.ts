import { execFile } from 'node:child_process';
import type { Clock } from '../../../ports/clock.ts';
import { AccessError, type Credential, type Proof } from './credential.ts';

export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint?: string;
  /** The user entry of the kubeconfig, for messages. */
  readonly user: string;
  /** Handed to the plugin when it asks for it (`provideClusterInfo`). */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

export const execApiVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

const longestRunMs = 60_000;
/** A proof is renewed this long before it expires, so that none expires on its way. */
const renewEarlyMs = 30_000;

/** A credential plugin of the kubeconfig: run when needed, its answer kept until it expires. */
export class ExecCredential implements Credential {
  readonly #plugin: ExecPlugin;
  readonly #clock: Clock;
  #proof: Proof | undefined;
  #expiresAt = Number.POSITIVE_INFINITY;
  #running: Promise<Proof> | undefined;

  constructor(plugin: ExecPlugin, clock: Clock) {
    this.#plugin = plugin;
    this.#clock = clock;
  }

  async current(): Promise<Proof> {
    if (this.#proof !== undefined && this.#clock.now() < this.#expiresAt - renewEarlyMs) return this.#proof;
    return this.renew();
  }

  /** Callers that come while the plugin runs share its one answer. */
  renew(): Promise<Proof> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<Proof> {
    const status = readStatus(await this.#output(), this.#plugin);
    this.#proof = status.proof;
    this.#expiresAt = status.expiresAt;
    return status.proof;
  }

  #output(): Promise<string> {
    const { command, args, env, apiVersion, cluster } = this.#plugin;
    const spec = { interactive: false, ...(cluster === undefined ? {} : { cluster }) };
    const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
    const options = { env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: info }, timeout: longestRunMs };
    return new Promise((resolve, reject) => {
      execFile(command, [...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(this.#failure(error, stderr));
      });
    });
  }

  #failure(error: Error, stderr: string): AccessError {
    const { command, user, installHint } = this.#plugin;
    const code = 'code' in error ? error.code : undefined;
    // A folder of PATH that may not be looked into, and nothing in the others.
    const missing = code === 'ENOENT' || (code === 'EACCES' && !command.includes('/'));
    const reason = missing ? 'the command was not found' : stderr.trim() || error.message;
    const hint = missing && installHint ? ` ${installHint}` : '';
    return new AccessError(`The credential plugin ${command} of user ${user} failed: ${reason}.${hint}`, {
      cause: error,
    });
  }
}

function readStatus(output: string, plugin: ExecPlugin): { proof: Proof; expiresAt: number } {
  const where = `The credential plugin ${plugin.command} of user ${plugin.user}`;
  let answer: { apiVersion?: unknown; kind?: unknown; status?: Record<string, unknown> };
  try {
    answer = JSON.parse(output);
  } catch (error) {
    throw new AccessError(`${where} printed no JSON; it must print an ExecCredential.`, { cause: error });
  }
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== plugin.apiVersion) {
    throw new AccessError(
      `${where} printed ${String(answer.apiVersion)} ${String(answer.kind)}; it must print ${plugin.apiVersion} ExecCredential.`,
    );
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = answer.status ?? {};
  if (!token && !(cert && key)) {
    throw new AccessError(
      `${where} returned neither status.token nor status.clientCertificateData with status.clientKeyData.`,
    );
  }
  const expiresAt =
    typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY;
  return {
    proof: {
      ...(token ? { token: String(token) } : {}),
      ...(cert && key ? { certificate: { cert: String(cert), key: String(key) } } : {}),
    },
    expiresAt: Number.isNaN(expiresAt) ? Number.POSITIVE_INFINITY : expiresAt,
  };
}
