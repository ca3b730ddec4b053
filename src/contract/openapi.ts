import { type Endpoint, type EndpointId, endpointIds, endpoints, errorsOf } from './endpoints.ts';
import { type ErrorCode, errorCatalogue, statusesOf } from './errors.ts';
import { type Operation, operations } from './operations.ts';
import { errorBody } from './schemas/basics.ts';

type Json = Readonly<Record<string, unknown>>;

const securityOf: Readonly<Record<Endpoint['auth'], readonly Json[]>> = {
  none: [],
  'signed-in': [{ accessToken: [] }],
  member: [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
  internal: [{ internalSecret: [] }],
  signature: [{ clusterSignature: [] }],
};

/** The OpenAPI 3.1 document of the API, generated from the same table and schemas that the server runs on. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const id of endpointIds) {
    const { path, method } = endpoints[id];
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = describe(id, endpoints[id], operations[id]);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cluster Hibernation Service', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      schemas: { Error: errorBody },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        internalSecret: { type: 'http', scheme: 'bearer', description: 'The internal API secret.' },
        clusterSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'Signature',
          description: 'HTTP Message Signatures (RFC 9421), hmac-sha256.',
        },
      },
    },
  };
}

function describe(id: EndpointId, endpoint: Endpoint, operation: Operation): Json {
  return {
    operationId: id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.auth === 'admin' ? { description: 'For admins only.' } : {}),
    security: securityOf[endpoint.auth],
    parameters: [...parameters('path', operation.params), ...parameters('query', operation.query)],
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: { 'application/json': { schema: operation.body } },
          },
        }),
    responses: { '200': success(endpoint, operation), ...failures(endpoint) },
  };
}

function parameters(place: 'path' | 'query', schema: Operation['params']): readonly Json[] {
  const required: readonly string[] = schema?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function success(endpoint: Endpoint, operation: Operation): Json {
  const type = endpoint.stream === true ? 'text/event-stream' : (endpoint.media ?? 'application/json');
  const csv = operation.query?.properties['format'] === undefined ? {} : { 'text/csv': { schema: { type: 'string' } } };
  return { description: endpoint.summary, content: { [type]: { schema: operation.answer }, ...csv } };
}

function failures(endpoint: Endpoint): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].when}`).join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
