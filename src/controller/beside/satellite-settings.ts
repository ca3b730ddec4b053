import type { Config } from '../../config/config.ts';
import type { SatellitePlacement, SatelliteSettings } from '../../domain/redirect/satellite-manifest.ts';
import { variable } from '../../platform/process-environment.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What satellites are made from: the image and its like from the environment, names and addresses from the configuration. */
export function satelliteSettingsFrom(env: Environment): (config: Config) => SatelliteSettings | undefined {
  const image = variable(env, 'SATELLITE_IMAGE');
  const secrets = variable(env, 'SATELLITE_IMAGE_PULL_SECRETS')?.split(',') ?? [];
  const fixed = {
    imagePullPolicy: variable(env, 'SATELLITE_IMAGE_PULL_POLICY') ?? 'IfNotPresent',
    imagePullSecrets: secrets.map((name) => name.trim()).filter((name) => name !== ''),
    placement: placementFrom(env),
    statusUrl: variable(env, 'SATELLITE_STATUS_URL') ?? '',
  };
  return (config) =>
    image === undefined
      ? undefined
      : { image, ...fixed, clusterName: config.clusterName, externalUrl: config.externalUrl };
}

const placementVariable = 'SATELLITE_PLACEMENT';

/** Whether the values themselves are right is the apiserver's to say, in its answer to the satellite. */
function placementFrom(env: Environment): SatellitePlacement {
  const text = variable(env, placementVariable) ?? '{}';
  const refused = (why: string) =>
    new Error(`${placementVariable} must be a JSON object with nodeSelector, tolerations and affinity: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(`it is ${text.slice(0, 60)}`);
  const unknown = Object.keys(value).find((key) => !['nodeSelector', 'tolerations', 'affinity'].includes(key));
  if (unknown !== undefined) throw refused(`it has ${unknown}`);
  return value;
}
