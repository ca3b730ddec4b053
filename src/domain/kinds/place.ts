import type { Sleep } from './kind-row.ts';

/** The steps to the place of an object that the kind sleeps by: `['spec', 'suspend']`. */
export function stepsTo(sleep: Sleep): readonly string[] {
  if (sleep.by === 'annotation') return ['metadata', 'annotations', sleep.name];
  return stepsOf(sleep.pointer);
}

export function stepsOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

/** RFC 6901: `~1` is a slash, `~0` a tilde, in this order. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `spec.suspend`, as people write the place. */
export function placeText(sleep: Sleep): string {
  return sleep.by === 'annotation' ? `the annotation ${sleep.name}` : stepsTo(sleep).join('.');
}

/** The value at the place; undefined where it, or something on the way to it, is absent. */
export function valueAt(object: unknown, steps: readonly string[]): unknown {
  let value = object;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value ?? undefined;
}

/**
 * How many of the steps lead to the topmost object below the spec that holds nothing but the place: all of them where others stand
 * beside it.
 */
export function stepsToLone(object: unknown, steps: readonly string[]): number {
  let lone = steps.length;
  for (let depth = steps.length - 1; depth > 1; depth--) {
    if (keysAt(object, steps.slice(0, depth)) !== 1) break;
    lone = depth;
  }
  return lone;
}

/** Whether what would hold the place is there, and empty. */
export function isHeldEmpty(object: unknown, steps: readonly string[]): boolean {
  return steps.length > 2 && keysAt(object, steps.slice(0, -1)) === 0;
}

function keysAt(object: unknown, steps: readonly string[]): number | undefined {
  const value = valueAt(object, steps);
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** The merge patch that puts the value at the place and touches nothing else; null takes it away. */
export function patchAt(steps: readonly string[], value: unknown): Readonly<Record<string, unknown>> {
  return steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as Readonly<Record<string, unknown>>;
}
