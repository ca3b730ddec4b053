import { request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceAccountIdentity } from '../api/access/bearer-tokens.ts';
import { configMap, EmbeddedApiFixture } from '../api/embedded-api-fixture.ts';
import { valueAt } from '../store/json-value.ts';
import { type RunningServer, serveHttp } from './http-server.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(server: RunningServer, path: string, token?: string, onText?: (text: string) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // The certificate itself is what is trusted: nothing is skipped.
    const outgoing = request(`${server.url}${path}`, { headers, ca: server.certificate }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        onText?.(text);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('serveHttp', () => {
  let fixture: EmbeddedApiFixture;
  let server: RunningServer;

  beforeEach(async () => {
    fixture = new EmbeddedApiFixture();
    server = await serveHttp(fixture.api);
  });
  afterEach(() => server.close());

  const adminToken = () => String(valueAt(JSON.parse(server.kubeconfig()).users[0], 'user', 'token'));

  it('serves the API to the bearer of a token, over a certificate that can be verified', async () => {
    const answer = await send(server, '/api/v1/namespaces/default', adminToken());
    expect([answer.status, JSON.parse(answer.text).metadata.name]).toEqual([200, 'default']);
  });

  it('takes nobody for an administrator, and an unknown token for an error', async () => {
    const nobody = await send(server, '/api/v1/pods');
    expect([nobody.status, JSON.parse(nobody.text).message]).toEqual([
      403,
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
    ]);
    const unknown = await send(server, '/api/v1/pods', 'nope');
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      401,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      },
    ]);
  });

  it("accepts a service account's token until it expires", async () => {
    await fixture.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bob' } });
    const issued = await fixture.ask('POST', '/api/v1/namespaces/default/serviceaccounts/bob/token', {
      spec: { expirationSeconds: 600 },
    });
    expect(valueAt(issued.body, 'status', 'expirationTimestamp')).toBe('2026-01-05T07:10:00Z');
    const token = String(valueAt(issued.body, 'status', 'token'));
    const { user } = serviceAccountIdentity('default', 'bob');
    expect(JSON.parse((await send(server, '/api/v1/pods', token)).text).message).toContain(
      `User "${user}" cannot list`,
    );
    await fixture.clock.advance(600_000);
    expect((await send(server, '/api/v1/pods', token)).status).toBe(401);
  });

  it('streams a watch and ends it when its time is up', async () => {
    const path = '/api/v1/namespaces/default/configmaps?watch=true&timeoutSeconds=60';
    await fixture.ask('POST', '/api/v1/namespaces/default/configmaps', configMap('a'));
    let first: (text: string) => void = () => {};
    const began = new Promise<string>((resolve) => {
      first = resolve;
    });
    const whole = send(server, path, adminToken(), first);
    expect(await began).toContain('"type":"ADDED"');
    await fixture.clock.advance(60_000);
    expect((await whole).text.trim().split('\n')).toHaveLength(1);
  });

  it('breaks the connection when a fault says so', async () => {
    fixture.api.faults.add({ match: () => true, effect: { kind: 'drop', when: 'before' } });
    await expect(send(server, '/api/v1/pods', adminToken())).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
