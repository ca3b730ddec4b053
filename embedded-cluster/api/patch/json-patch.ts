import { ApiError, badRequest } from '../../store/api-error.ts';
import { isObject, sameJson } from '../../store/json-value.ts';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const MAX_OPERATIONS = 10_000;

/** RFC 6902 on immutable values: everything the patch does not touch is shared with the original. */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  const operations = decode(patch);
  return operations.reduce(applyOperation, target);
}

function decode(patch: unknown): readonly Operation[] {
  if (!Array.isArray(patch)) {
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  }
  if (patch.length > MAX_OPERATIONS) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`;
    throw new ApiError(413, 'RequestEntityTooLarge', message);
  }
  return patch.map((operation) => {
    if (!isObject(operation) || typeof operation['op'] !== 'string' || typeof operation['path'] !== 'string') {
      throw notApplicable();
    }
    // Its op and path were checked above; each operation judges its own value.
    return operation as unknown as Operation;
  });
}

/** The apiserver does not say which operation failed. */
function notApplicable(): ApiError {
  return new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

function applyOperation(target: unknown, operation: Operation): unknown {
  const path = steps(operation.path);
  switch (operation.op) {
    case 'add':
      return put(target, path, operation.value, 'add');
    case 'replace':
      // Replacing a field that is not there adds it: so the apiserver's library has it, whatever the RFC says.
      return put(target, path, operation.value, 'replace');
    case 'remove':
      return remove(target, path);
    case 'test':
      if (!sameJson(readOrNull(target, path), operation.value ?? null)) throw notApplicable();
      return target;
    case 'copy':
      return put(target, path, read(target, steps(operation.from ?? '')), 'add');
    case 'move': {
      const from = steps(operation.from ?? '');
      return put(remove(target, from), path, read(target, from), 'add');
    }
    default:
      throw notApplicable();
  }
}

function steps(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw notApplicable();
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(target: unknown, path: readonly string[]): unknown {
  let value = target;
  for (const step of path) {
    if (Array.isArray(value)) value = value[index(step, value.length - 1)];
    else if (isObject(value) && step in value) value = value[step];
    else throw notApplicable();
  }
  return value;
}

/** A test of a field that is not there compares with null. */
function readOrNull(target: unknown, path: readonly string[]): unknown {
  const parent = read(target, path.slice(0, -1));
  const last = path.at(-1);
  if (last !== undefined && isObject(parent) && !(last in parent)) return null;
  return read(target, path) ?? null;
}

function put(target: unknown, path: readonly string[], value: unknown, mode: 'add' | 'replace'): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(target)) {
    const inserts = rest.length === 0 && mode === 'add';
    const at = step === '-' && inserts ? target.length : index(step, inserts ? target.length : target.length - 1);
    return inserts ? target.toSpliced(at, 0, value) : target.with(at, put(target[at], rest, value, mode));
  }
  if (!isObject(target) || (rest.length > 0 && !(step in target))) throw notApplicable();
  return { ...target, [step]: put(target[step], rest, value, mode) };
}

function remove(target: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) throw notApplicable();
  if (Array.isArray(target)) {
    const at = index(step, target.length - 1);
    return rest.length === 0 ? target.toSpliced(at, 1) : target.with(at, remove(target[at], rest));
  }
  if (!isObject(target) || !(step in target)) throw notApplicable();
  if (rest.length > 0) return { ...target, [step]: remove(target[step], rest) };
  const { [step]: _removed, ...others } = target;
  return others;
}

function index(step: string, last: number): number {
  const at = Number(step);
  if (!/^\d+$/.test(step) || at > last) throw notApplicable();
  return at;
}
