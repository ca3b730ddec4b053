import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { Config } from '../../../src/config/config.ts';
import type { DesiredState } from '../../../src/domain/desired/desired-state.ts';
import { decidingState, desiredNow } from '../../../src/service/desired.ts';
import type { StateCodec } from '../../../src/state/codec.ts';
import { decodeState } from '../../../src/state/snapshot.ts';
import { compiledOf } from '../world/controller-process.ts';

/** What should be, by the durable state at an instant; undefined while the state cannot be decoded. */
export function wantedAt(
  data: Readonly<Record<string, string>>,
  config: Config,
  licenseActs: boolean,
  at: number,
): DesiredState | undefined {
  const state = decodeState(data);
  const get = <T>(codec: StateCodec<T>): T => {
    const decoded = state.read(codec);
    if (!decoded.ok) throw new Undecodable();
    return decoded.value;
  };
  try {
    const license = { acts: licenseActs, verdict: licenseActs ? 'licensed' : 'unlicensed' } as const;
    return desiredNow(decidingState(state, get), compiledOf(config), license, at);
  } catch (error) {
    if (error instanceof Undecodable) return undefined;
    throw error;
  }
}

/** What is wanted of one workload of ours. Written apart from the service's own rule, from the words of its promise. */
export function wantedOf(desired: DesiredState, config: Config, object: KubeObject): 'up' | 'down' {
  const shut = neverWokenExternally(config, object);
  if (desired.wanted !== 'hibernated') return desired.external && shut ? 'down' : 'up';
  const { namespace, name } = object.metadata;
  const kept = desired.keepAwake.some(
    (one) =>
      one.namespace === namespace &&
      (one.type === undefined || one.type === object.kind) &&
      (one.name === undefined || one.name === name),
  );
  return kept && !shut ? 'up' : 'down';
}

/** No session of another cluster brings anything up there. */
export function neverWokenExternally(config: Config, object: KubeObject): boolean {
  return config.externalWake.excludedNamespaces.includes(object.metadata.namespace ?? '');
}

class Undecodable extends Error {}
