import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { provision } from '../../../tools/provision/provision.ts';
import { lastLine, runCommand } from '../../../tools/provision/run-command.ts';

/** A repository that is served over HTTP by git itself, and whose owner commits files to it. */
export class GitServer {
  readonly url: string;
  readonly #git: string;
  readonly #folder: string;
  readonly #server: Server;

  private constructor(git: string, folder: string, server: Server) {
    this.#git = git;
    this.#folder = folder;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/fleet.git`;
  }

  static async start(): Promise<GitServer> {
    const git = await provision('git');
    const folder = await mkdtemp(join(tmpdir(), 'svc-git-'));
    const server = createServer((request, response) => serve(git, folder, request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const one = new GitServer(git, folder, server);
    await one.#run(folder, 'init', '--quiet', '--bare', '--initial-branch=main', 'fleet.git');
    await one.#run(folder, 'clone', '--quiet', 'fleet.git', 'work');
    return one;
  }

  /** Writes these files and pushes them; answers the commit. */
  async commit(files: Readonly<Record<string, string>>): Promise<string> {
    const work = join(this.#folder, 'work');
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(work, name)), { recursive: true });
      await writeFile(join(work, name), text);
    }
    await this.#run(work, 'add', '--all');
    await this.#run(work, '-c', 'user.name=owner', '-c', 'user.email=owner@example.com', 'commit', '-qm', 'change');
    await this.#run(work, 'push', '--quiet', 'origin', 'HEAD:main');
    return (await this.#run(work, 'rev-parse', 'HEAD')).trim();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #run(cwd: string, ...args: readonly string[]): Promise<string> {
    const result = await runCommand(this.#git, args, { cwd });
    if (result.status !== 0) throw new Error(`git ${args.join(' ')} failed: ${lastLine(result)}`);
    return result.stdout;
  }
}

/** git's own CGI program, as a web server would call it. */
function serve(git: string, folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://git');
  const env = {
    ...process.env,
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: url.pathname,
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method ?? 'GET',
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  };
  const child = spawn(git, ['http-backend'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  request.pipe(child.stdin);
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.on('error', () => response.writeHead(500).end());
  child.on('close', () => {
    const answer = Buffer.concat(pieces);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.end(answer.subarray(end + 4));
  });
}
