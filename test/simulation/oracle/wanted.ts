import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { Config } from '../../../src/config/config.ts';
import { type DesiredState, desiredState } from '../../../src/domain/desired/desired-state.ts';
import { isStoodDown, standDownSummary } from '../../../src/domain/standdown/state.ts';
import { type CompiledConfig, compileConfig } from '../../../src/service/compiled-config.ts';
import type { StateCodec } from '../../../src/state/codec.ts';
import { externalWakeSessions } from '../../../src/state/external-wake-sessions.ts';
import { manualHibernation } from '../../../src/state/manual-hibernation.ts';
import { scheduleOverrides } from '../../../src/state/schedule-overrides.ts';
import { decodeState } from '../../../src/state/snapshot.ts';
import { standDown } from '../../../src/state/stand-down.ts';
import { wakeOverride } from '../../../src/state/wake-override.ts';
import { releaseNamespace } from '../world/controller-process.ts';

const noHolidays: readonly never[] = [];
const compiled = new WeakMap<Config, CompiledConfig>();

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
    const stood = get(standDown);
    const summary = standDownSummary(stood);
    const override = get(wakeOverride);
    const manual = get(manualHibernation);
    return desiredState({
      now: at,
      schedule: compiledOf(config).schedule(get(scheduleOverrides), noHolidays),
      dryRun: config.operations.dryRun,
      license: { acts: licenseActs, verdict: licenseActs ? 'licensed' : 'unlicensed' },
      handbackDone: isStoodDown(stood) && stood.handbackDone,
      externalSessions: get(externalWakeSessions),
      ...(summary === null ? {} : { standDown: summary }),
      ...(override === null ? {} : { wakeOverride: override }),
      ...(manual === null ? {} : { manualHibernation: manual }),
      ...(stood.ended === undefined ? {} : { stopEndedAt: stood.ended.at }),
    });
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

function compiledOf(config: Config): CompiledConfig {
  let known = compiled.get(config);
  if (known === undefined) {
    known = compileConfig(config, releaseNamespace);
    compiled.set(config, known);
  }
  return known;
}
