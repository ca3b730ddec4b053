import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface StoredSession {
  readonly token: string;
  readonly expiresAt: string;
  readonly refreshToken?: string;
  readonly email: string;
}

type Sessions = Readonly<Record<string, StoredSession>>;

/** Sign-ins by server, in a file that only its owner can read. */
export class SessionFile {
  readonly path: string;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.path = join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'svc', 'sessions.json');
  }

  async get(server: string): Promise<StoredSession | undefined> {
    return (await this.#read())[server];
  }

  /** Those that somebody is signed in to. */
  async servers(): Promise<readonly string[]> {
    return Object.keys(await this.#read());
  }

  async set(server: string, session: StoredSession | undefined): Promise<void> {
    const { [server]: _before, ...others } = await this.#read();
    const sessions: Sessions = session === undefined ? others : { ...others, [server]: session };
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const fresh = `${this.path}.${process.pid}`;
    // Written beside and put in place in one step: a crash leaves the old file, and nobody sees half of one.
    await writeFile(fresh, `${JSON.stringify(sessions, undefined, 2)}\n`, { mode: 0o600 });
    await chmod(fresh, 0o600);
    await rename(fresh, this.path);
  }

  async #read(): Promise<Sessions> {
    let text: string;
    try {
      const { mode } = await stat(this.path);
      if ((mode & 0o077) !== 0) {
        throw new Error(`${this.path} can be read by others; run: chmod 600 ${this.path}`);
      }
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
      throw error;
    }
    try {
      return JSON.parse(text) as Sessions;
    } catch {
      throw new Error(`${this.path} is not JSON; remove it and sign in again`);
    }
  }
}
