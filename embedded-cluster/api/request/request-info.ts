export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** What a request asks for, read from its method and path alone. */
export interface RequestInfo {
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly query: URLSearchParams;
}

export interface ParsedPath {
  readonly path: string;
  readonly query: URLSearchParams;
}

const NO_QUERY = new URLSearchParams();

export function splitQuery(target: string): ParsedPath {
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target, query: NO_QUERY };
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) };
}

/** The resource request in a path, or undefined when the path is of another kind (discovery, health, …). */
export function resourceRequest(method: string, { path, query }: ParsedPath): RequestInfo | undefined {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const core = parts[0] === 'api';
  if (!core && parts[0] !== 'apis') return undefined;
  const group = core ? '' : (parts[1] ?? '');
  const version = parts[core ? 1 : 2];
  let rest = parts.slice(core ? 2 : 3);
  if (version === undefined || rest.length === 0) return undefined;
  // The old form of a watch: /api/v1/watch/namespaces/x/pods.
  const oldWatch = rest[0] === 'watch';
  if (oldWatch) rest = rest.slice(1);
  const { namespace, resource, name, subresource } = scoped(rest);
  if (resource === undefined) return undefined;
  // With a name in the path the option means nothing: it is a get.
  const watching = oldWatch || (name === undefined && isTrue(query.get('watch')));
  return {
    verb: verbOf(method, name, watching),
    group,
    version,
    resource,
    subresource: subresource ?? '',
    namespace,
    name: name ?? '',
    query,
  };
}

interface Scoped {
  readonly namespace: string | undefined;
  readonly resource: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** `namespaces/x` alone is the namespace itself; with more behind it, it is the scope of what follows. */
function scoped(parts: readonly string[]): Scoped {
  const [first, second, third, ...more] = parts;
  const isNamespaceItself = third === undefined || third === 'status' || third === 'finalize';
  if (first !== 'namespaces' || isNamespaceItself) {
    return {
      namespace: first === 'namespaces' ? second : undefined,
      resource: first,
      name: second,
      subresource: third,
    };
  }
  return { namespace: second, resource: third, name: more[0], subresource: more[1] };
}

function verbOf(method: string, name: string | undefined, watching: boolean): Verb {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      if (watching) return 'watch';
      return name === undefined ? 'list' : 'get';
  }
}

export function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1' || value === '';
}
