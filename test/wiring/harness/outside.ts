import type { ServerResponse } from 'node:http';
import { MailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { type RecordedRequest, RecordingServer } from '../../support/recording-server.ts';

export type Answer = (request: RecordedRequest, response: ServerResponse) => void;

/**
 * What lies outside of the cluster, on this machine: a mail server, and the internet behind a proxy. Names of the
 * internet here end in `.test`, which no resolver knows, so our processes leave them to the proxy.
 */
export class Outside {
  readonly mailServer: MailServer;
  readonly mailPort: number;
  /** Another one, at another port. */
  readonly otherMailServer: MailServer;
  readonly otherMailPort: number;
  /** The general proxy. */
  readonly internet: RecordingServer;
  /** A second one, for features that have a proxy of their own. */
  readonly otherProxy: RecordingServer;
  readonly #answers = new Map<string, Answer>();

  private constructor(mailServer: MailServer, mailPort: number, otherMailServer: MailServer, otherMailPort: number) {
    this.mailServer = mailServer;
    this.mailPort = mailPort;
    this.otherMailServer = otherMailServer;
    this.otherMailPort = otherMailPort;
    this.internet = new RecordingServer();
    this.otherProxy = new RecordingServer();
    for (const proxy of [this.internet, this.otherProxy]) {
      proxy.answer = (request, response) => {
        const answer = this.#answers.get(hostOf(request));
        if (answer === undefined) response.end('1');
        else answer(request, response);
      };
    }
  }

  static async open(): Promise<Outside> {
    const [mailServer, other] = [new MailServer(), new MailServer()];
    const outside = new Outside(mailServer, await mailServer.listen(), other, await other.listen());
    await Promise.all([outside.internet.listen(), outside.otherProxy.listen()]);
    return outside;
  }

  get proxyUrl(): string {
    return `http://127.0.0.1:${this.internet.port}`;
  }

  get otherProxyUrl(): string {
    return `http://127.0.0.1:${this.otherProxy.port}`;
  }

  /** What a host answers; without it, `200`. */
  host(name: string, answer: Answer): void {
    this.#answers.set(name, answer);
  }

  /** What came for a host through the general proxy. */
  requests(host: string): readonly RecordedRequest[] {
    return this.internet.requests.filter((request) => hostOf(request) === host);
  }

  /** What came for a host through the second proxy. */
  otherRequests(host: string): readonly RecordedRequest[] {
    return this.otherProxy.requests.filter((request) => hostOf(request) === host);
  }

  mailsTo(address: string): readonly ReceivedMail[] {
    const all = [...this.mailServer.mails, ...this.otherMailServer.mails];
    return all.filter(({ to }) => to.includes(address));
  }

  async close(): Promise<void> {
    const servers = [this.internet, this.otherProxy, this.mailServer, this.otherMailServer];
    await Promise.all(servers.map((server) => server.close()));
  }
}

/** A proxy is asked for whole URLs; whoever comes directly names the host in the header. */
function hostOf({ url, headers }: RecordedRequest): string {
  return URL.parse(url)?.hostname ?? headers.host?.replace(/:\d+$/, '') ?? '';
}
