import type { Faults } from '../../faults.ts';
import type { TransportRequest } from '../../ports/transport.ts';
import { notAcceptable, notFound, unknownResource } from '../../store/api-error.ts';
import type { Identity } from '../access/identity.ts';
import { groupResource } from '../kinds/resource-type.ts';
import { page } from '../verbs/pages.ts';
import { type ApiResponse, type Call, type Services, textResponse } from './call.ts';
import { dispatch } from './dispatch.ts';
import { type RequestInfo, resourceRequest, splitQuery } from './request-info.ts';

/** From a request to an answer: who may, what exists, which fault strikes, then the verb. */
export class RequestHandler {
  readonly #services: Services;
  readonly #faults: Faults;

  constructor(services: Services, faults: Faults) {
    this.#services = services;
    this.#faults = faults;
  }

  async handle(request: TransportRequest, identity: Identity): Promise<ApiResponse> {
    const parsed = splitQuery(request.path);
    const info = resourceRequest(request.method, parsed);
    if (info === undefined) return this.#visit(request, parsed.path, identity);
    return this.#faults.around(factsOf(info, identity), request, () => this.#answer(request, info, identity));
  }

  #answer(request: TransportRequest, info: RequestInfo, identity: Identity): ApiResponse {
    const { group, resource, subresource, name, namespace, verb } = info;
    this.#services.authorizer.requireAccess(identity, { verb, group, resource, subresource, name, namespace });
    const type = this.#services.registry.find(group, info.version, resource);
    if (type === undefined) return this.#unknown(group, info.version);
    if (!isServed(type.subresources, subresource)) {
      throw type.custom ? notFound(groupResource(type), name) : unknownResource();
    }
    const call: Call = {
      services: this.#services,
      type,
      info,
      identity,
      headers: lowerCased(request.headers),
      body: request.body ?? '',
    };
    if (subresource !== 'log' && !canBeAnswered(call.headers['accept'])) throw notAcceptable();
    return dispatch(call);
  }

  #unknown(group: string, version: string): ApiResponse {
    const builtin = this.#services.registry
      .all()
      .some((type) => !type.custom && type.group === group && type.version === version);
    if (builtin) throw unknownResource();
    return notFoundPage();
  }

  #visit(request: TransportRequest, path: string, identity: Identity): ApiResponse {
    this.#services.authorizer.requireVisit(identity, request.method.toLowerCase(), path);
    if (request.method !== 'GET') return notFoundPage();
    return page(path, lowerCased(request.headers)['accept'] ?? '', this.#services.registry.all()) ?? notFoundPage();
  }
}

/** Everything is answered in JSON, so the caller must take it, by name or by a wildcard. */
function canBeAnswered(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  return accept.includes('json') || accept.includes('*');
}

function isServed(subresources: readonly string[], subresource: string): boolean {
  return subresource === '' || subresources.includes(subresource);
}

/** The apiserver's router knows no such path; the sentence clients show for it is their own. */
function notFoundPage(): ApiResponse {
  return textResponse(404, '404 page not found\n');
}

function factsOf(info: RequestInfo, identity: Identity) {
  const { verb, group, resource, subresource, namespace, name } = info;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  return { verb, resource: qualified, subresource, namespace, name, user: identity.user };
}

/** Header names are compared without regard to case; a caller in this process may write them as it likes. */
function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const name in headers) {
    if (name !== name.toLowerCase()) {
      return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
    }
  }
  return headers;
}
