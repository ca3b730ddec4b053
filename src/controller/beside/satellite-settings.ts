import type { Config } from '../../config/config.ts';
import type { SatelliteSettings } from '../../domain/redirect/satellite-manifest.ts';
import { variable } from '../../platform/process-environment.ts';

/** What satellites are made from: the image and its like from the environment, names and addresses from the configuration. */
export function satelliteSettingsFrom(
  env: Readonly<Record<string, string | undefined>>,
): (config: Config) => SatelliteSettings | undefined {
  const image = variable(env, 'SATELLITE_IMAGE');
  const secrets = variable(env, 'SATELLITE_IMAGE_PULL_SECRETS')?.split(',') ?? [];
  const fixed = {
    imagePullPolicy: variable(env, 'SATELLITE_IMAGE_PULL_POLICY') ?? 'IfNotPresent',
    imagePullSecrets: secrets.map((name) => name.trim()).filter((name) => name !== ''),
    statusUrl: variable(env, 'SATELLITE_STATUS_URL') ?? '',
  };
  return (config) =>
    image === undefined
      ? undefined
      : { image, ...fixed, clusterName: config.clusterName, externalUrl: config.externalUrl };
}
