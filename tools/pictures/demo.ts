import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const inboxOffset = 25;
const readyLine = /^ready: (\S+)/;

export interface RunningDemo {
  readonly url: string;
  /** Whom it takes for an admin. */
  readonly admin: string;
  /** The newest code that was mailed. */
  code(): Promise<string>;
  stop(): void;
}

/** `npm start` as everybody runs it, in a process of its own. */
export async function startDemo(port: number): Promise<RunningDemo> {
  const child = spawn(process.execPath, ['demo/main.mjs', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => void child.kill('SIGTERM');
  const lines = createInterface(child.stdout);
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = readyLine.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The demo ended with exit code ${code} before it was ready.`)));
  });
  return {
    url,
    admin: 'admin@svc.local',
    async code() {
      const answer = await fetch(`http://localhost:${port + inboxOffset}/mails.json`);
      const [newest] = (await answer.json()) as readonly { readonly text: string }[];
      const code = /\b\d{8}\b/.exec(newest?.text ?? '')?.[0];
      if (code === undefined) throw new Error('The newest mail of the demo holds no code of 8 digits.');
      return code;
    },
    stop,
  };
}
