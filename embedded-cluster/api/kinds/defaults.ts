import type { KubeObject } from '../../object-store.ts';
import type { Services } from '../request/call.ts';
import { DEFAULTERS } from './kind-defaults.ts';
import type { ResourceType } from './resource-type.ts';

/** The object with the defaults that a caller would notice. */
export function withDefaults(
  type: ResourceType,
  object: KubeObject,
  services: Pick<Services, 'store' | 'random'>,
): KubeObject {
  const defaulter = type.custom ? undefined : DEFAULTERS[type.storage];
  return defaulter === undefined ? object : defaulter(object, services);
}
