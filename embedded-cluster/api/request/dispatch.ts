import { methodNotAllowed } from '../../store/api-error.ts';
import { review } from '../access/reviews.ts';
import { isReview } from '../kinds/resource-type.ts';
import { get, list } from '../verbs/list.ts';
import { remove, removeCollection } from '../verbs/remove.ts';
import { scale } from '../verbs/scale.ts';
import { bind, evict, finalizeNamespace, issueToken, podLog } from '../verbs/subresources.ts';
import { watch } from '../verbs/watch.ts';
import { create, patch, update } from '../verbs/write.ts';
import type { ApiResponse, Call } from './call.ts';
import type { RequestInfo, Verb } from './request-info.ts';

type Handler = (call: Call) => ApiResponse;

const ON_OBJECTS: Readonly<Record<Verb, Handler>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
};

/** Which verbs each subresource knows. */
const ON_SUBRESOURCES: Readonly<Record<string, Partial<Record<Verb, Handler>>>> = {
  status: { get, update, patch },
  scale: { get: scale, update: scale, patch: scale },
  eviction: { create: evict },
  binding: { create: bind },
  log: { get: podLog },
  token: { create: issueToken },
  finalize: { update: finalizeNamespace },
};

export function dispatch(call: Call): ApiResponse {
  const { verb, subresource } = call.info;
  if (!call.type.verbs.includes(verb) || isMisplaced(call.info)) throw methodNotAllowed();
  if (isReview(call.type)) return review(call);
  const handler = subresource === '' ? ON_OBJECTS[verb] : ON_SUBRESOURCES[subresource]?.[verb];
  if (handler === undefined) throw methodNotAllowed();
  return handler(call);
}

/** A POST to an object, or a PUT or PATCH to a collection. */
function isMisplaced({ verb, name, subresource }: RequestInfo): boolean {
  if (verb === 'create') return name !== '' && subresource === '';
  return (verb === 'update' || verb === 'patch') && name === '';
}
