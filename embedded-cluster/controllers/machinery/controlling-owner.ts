import type { AnyObject } from './typed-store.ts';

/** The owner that controls an object, if one does. */
export function controllerOf(object: AnyObject) {
  const owners = object.metadata.ownerReferences;
  return owners?.find((owner) => owner.controller === true);
}
