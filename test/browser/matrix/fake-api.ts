import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EndpointId, endpointIds, endpoints } from '../../../src/contract/endpoints.ts';
import { errorCatalogue } from '../../../src/contract/errors.ts';

export const conditionCookie = 'condition';

/** How the API behaves to one browser. */
export interface Behaviour {
  /** What it answers; a route that is asked for and is not here is a problem of the cell. */
  readonly answers: Readonly<Partial<Record<EndpointId, unknown>>>;
  readonly admin: boolean;
  /** Everything but the first renewal of the session. What is slow comes when the test lets it: see `answersWait`. */
  readonly fault?: 'slow' | 'gone' | 'hanging' | 'unauthenticated';
}

/**
 * The API with answers that a test gives it, behind the real frontend. Each browser names its condition in a cookie, so
 * that many can be looked at side by side.
 */
export class FakeApi {
  readonly #server: Server;
  readonly #behaviours: Readonly<Record<string, Behaviour>>;
  readonly #problems = new Map<string, string[]>();
  readonly #waiting: (() => void)[] = [];
  #holds = true;

  private constructor(behaviours: Readonly<Record<string, Behaviour>>) {
    this.#behaviours = behaviours;
    this.#server = createServer((request, response) => {
      request.resume().on('end', () => this.#answer(request, response));
    });
  }

  static async start(behaviours: Readonly<Record<string, Behaviour>>): Promise<FakeApi> {
    const api = new FakeApi(behaviours);
    await new Promise<void>((resolve) => {
      api.#server.listen(0, '127.0.0.1', resolve);
    });
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What a browser of this condition asked for and should not have, or had no answer prepared for, since the last call. */
  takeProblems(condition: string): readonly string[] {
    const noted = this.#problems.get(condition) ?? [];
    this.#problems.delete(condition);
    return [...new Set(noted)];
  }

  /** From now on a slow answer waits to be let go, however long the page takes to be drawn. */
  answersWait(): void {
    this.#holds = true;
  }

  /** What waits is answered, and what is asked for from now on at once. */
  answersCome(): void {
    this.#holds = false;
    for (const answer of this.#waiting.splice(0)) answer();
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const cookie = request.headers.cookie ?? '';
    const name = new RegExp(`\\b${conditionCookie}=([\\w-]+)`).exec(cookie)?.[1] ?? '';
    const behaviour = this.#behaviours[name];
    const id = endpointOf(request);
    if (behaviour === undefined || id === undefined) {
      this.#note(name, `${request.method} ${request.url} is no endpoint of the contract`);
      sendError(response, 'not_found');
      return;
    }
    const { fault } = behaviour;
    const well = () => this.#answerWell({ name, id, behaviour, request, response });
    if (id === 'refreshSession') renew(behaviour, cookie, response);
    else if (fault === 'gone') request.socket.destroy();
    else if (fault === 'unauthenticated' && endpoints[id].auth !== 'none') sendError(response, 'unauthenticated');
    else if (fault === 'slow' && this.#holds) this.#waiting.push(well);
    else if (fault !== 'hanging') well();
  }

  #answerWell({ name, id, behaviour, request, response }: Asked): void {
    const answer = behaviour.answers[id];
    if (id === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n');
    } else if (!behaviour.admin && endpoints[id].auth === 'admin') {
      this.#note(name, `the browser of somebody who is no admin asked for the endpoint ${id}`);
      sendError(response, 'forbidden');
    } else if (answer === undefined) {
      this.#note(name, `there is no answer for the endpoint ${id} (${request.method} ${request.url})`);
      sendError(response, 'internal_error');
    } else {
      const query = new URL(request.url ?? '/', 'http://api').searchParams;
      send(response, typeof answer === 'function' ? answer(query) : answer);
    }
  }

  #note(condition: string, problem: string): void {
    this.#problems.set(condition, [...(this.#problems.get(condition) ?? []), problem]);
  }
}

/** The session is there when the page is loaded, whatever becomes of the rest. */
function renew({ fault, admin }: Behaviour, cookie: string, response: ServerResponse): void {
  if (fault === 'unauthenticated' && cookie.includes('renewed=1')) {
    sendError(response, 'unauthenticated');
    return;
  }
  response.setHeader('set-cookie', 'renewed=1; Path=/');
  send(response, sessionOf(admin));
}

interface Asked {
  /** Of the condition. */
  readonly name: string;
  readonly id: EndpointId;
  readonly behaviour: Behaviour;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const patterns = endpointIds.map((id) => ({
  id,
  method: endpoints[id].method,
  path: new RegExp(`^${endpoints[id].path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Routes without a parameter win, as they do in the real API. */
function endpointOf({ method, url = '/' }: IncomingMessage): EndpointId | undefined {
  const path = url.split('?')[0] ?? '';
  const found = patterns.filter((one) => one.method === method && one.path.test(path));
  return (found.find(({ id }) => !endpoints[id].path.includes('{')) ?? found[0])?.id;
}

function sessionOf(admin: boolean) {
  const email = admin ? 'ada@example.com' : 'bob@example.com';
  const later = '2099-01-01T00:00:00.000Z';
  return {
    token: 'x',
    expiresAt: later,
    refreshExpiresAt: later,
    user: { email, admin, member: true, shownAs: email },
  };
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function sendError(response: ServerResponse, code: keyof typeof errorCatalogue): void {
  const { status, when } = errorCatalogue[code];
  send(response, { code, message: when }, Array.isArray(status) ? status[0] : status);
}
