import { describe, expect, it } from 'vitest';
import { firstProblem, fromText } from './check.ts';
import { ApiError, createClient, pathOf } from './client.ts';
import { endpointIds, endpoints, errorsOf } from './endpoints.ts';
import { statusesOf } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';

describe('the route table', () => {
  it('has one route a method and path, and parameters that its schemas know', () => {
    const places = endpointIds.map((id) => `${endpoints[id].method} ${endpoints[id].path}`);
    expect(new Set(places).size).toBe(places.length);
    for (const id of endpointIds) {
      const named = [...endpoints[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const operation = operations[id] as { params?: { properties: object } };
      expect([id, Object.keys(operation.params?.properties ?? {})]).toEqual([id, named]);
    }
  });

  it('closes every request: a field that is not known is refused', () => {
    for (const id of endpointIds) {
      for (const part of ['params', 'query', 'body'] as const) {
        const schema = (operations[id] as Record<string, { additionalProperties?: boolean } | undefined>)[part];
        if (schema !== undefined) expect([id, part, schema.additionalProperties]).toEqual([id, part, false]);
      }
    }
  });
});

describe('the OpenAPI document', () => {
  const document = openApiDocument('1.2.3') as { paths: Record<string, Record<string, Record<string, unknown>>> };

  it('describes every route with its errors, and is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    for (const id of endpointIds) {
      const { path, method } = endpoints[id];
      const described = document.paths[path]?.[method.toLowerCase()];
      expect(described?.['operationId']).toBe(id);
      const statuses = new Set(errorsOf(endpoints[id]).flatMap((code) => statusesOf(code).map(String)));
      expect(Object.keys(described?.['responses'] as object).toSorted()).toEqual([...statuses, '200'].toSorted());
    }
  });
});

describe('checking a value', () => {
  const schema = operations.externalWake.body;
  const rows: Readonly<Record<string, readonly [unknown, string | undefined]>> = {
    'nothing wrong': [{ resources: [{ namespace: 'shop', type: 'Deployment' }] }, undefined],
    'a wrong type': [{ resources: 'all' }, 'resources must be a list'],
    'a missing field': [{ resources: [{}] }, 'resources[0].namespace is missing'],
    'a field too many': [
      { resources: [{ namespace: 'a', x: 1 }] },
      'resources[0].x is not known here; known are namespace, type, name',
    ],
    'a text too long': [{ duration: 'x'.repeat(33) }, 'duration is longer than 32 characters'],
    'no object': [[], ' must be an object'],
    'a key of Object': [
      JSON.parse('{"toString":1}'),
      'toString is not known here; known are resources, duration, origins, host',
    ],
  };
  for (const [name, [value, message]] of Object.entries(rows)) {
    it(`finds ${name}`, () => {
      const problem = firstProblem(schema, value);
      expect(problem === undefined ? undefined : `${problem.field} ${problem.message}`).toBe(message);
    });
  }

  it('reads numbers from a query, and only where the schema has one', () => {
    expect(fromText(operations.resources.query, { limit: '10', q: '10', offset: 'x' })).toEqual({
      limit: 10,
      q: '10',
      offset: 'x',
    });
  });
});

describe('the client', () => {
  const answering = (status: number, body: unknown, headers = {}) => {
    const sent: { url: string; init: RequestInit }[] = [];
    const client = createClient({
      baseUrl: 'https://svc.example.com',
      token: () => 'T',
      fetch: (async (url: string, init: RequestInit) => {
        sent.push({ url, init });
        return new Response(JSON.stringify(body), { status, headers });
      }) as typeof fetch,
    });
    return { client, sent };
  };

  it('sends what a route takes and gives what it answers', async () => {
    const { client, sent } = answering(200, { standDown: null });
    const { standDown } = await client.standDown({ body: { reason: 'x' } });
    expect(standDown).toBeNull();
    expect(sent[0]).toMatchObject({
      url: 'https://svc.example.com/api/v1/stand-down',
      init: { method: 'POST', body: '{"reason":"x"}', headers: { authorization: 'Bearer T' } },
    });
  });

  it('rejects with the code, the message, the details and when to come again', async () => {
    const body = { code: 'stood_down', message: 'no', details: { causes: ['license'] } };
    const { client } = answering(409, body, { 'retry-after': '7' });
    const error = await client.wakeUp().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: 'stood_down', message: 'no', retryAfterSeconds: 7 });
  });

  it('writes parameters and queries so that they stay what they are', () => {
    const params = { namespace: 'a/b', kind: 'Deployment', name: 'x?y' };
    expect(pathOf('why', { params })).toBe('/api/v1/resources/a%2Fb/Deployment/x%3Fy/why');
    expect(pathOf('resources', { query: { q: 'a&b', limit: 5, kind: undefined } })).toBe(
      '/api/v1/resources?q=a%26b&limit=5',
    );
  });
});
