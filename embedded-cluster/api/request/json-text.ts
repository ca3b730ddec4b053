import type { KubeObject } from '../../object-store.ts';

const texts = new WeakMap<KubeObject, string>();
const itemTexts = new WeakMap<KubeObject, string>();

/** The object's JSON, written once: objects never change, and lists and watches show the same one many times. */
export function jsonText(object: KubeObject): string {
  let text = texts.get(object);
  if (text === undefined) {
    text = JSON.stringify(object);
    texts.set(object, text);
  }
  return text;
}

/** The same without kind and apiVersion: how the apiserver writes the items of a list of a built-in kind. */
export function itemText(object: KubeObject): string {
  let text = itemTexts.get(object);
  if (text === undefined) {
    const whole = jsonText(object);
    const prefix = `{"kind":"${object.kind}","apiVersion":"${object.apiVersion}",`;
    text = whole.startsWith(prefix) ? `{${whole.slice(prefix.length)}` : withoutType(object);
    itemTexts.set(object, text);
  }
  return text;
}

function withoutType(object: KubeObject): string {
  const { kind: _k, apiVersion: _a, ...rest } = object;
  return JSON.stringify(rest);
}
