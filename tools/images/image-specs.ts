import { nodeEnvironment, nodeFlags, satelliteNodeFlags } from '../../src/platform/node-flags.ts';
import { bundles } from '../build/bundle.ts';

export const imageNames = ['controller', 'api', 'frontend', 'satellite'] as const;
export type ImageName = (typeof imageNames)[number];

/** What a container of an image starts with: the part of a Dockerfile that is no file. */
export interface ImageConfig {
  readonly user: number;
  readonly workingDirectory: string;
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ports: readonly number[];
}

export interface ImageSpec {
  readonly name: ImageName;
  /** Becomes `/app/<name>.mjs`, and the chunks that only some installations load. */
  readonly entry: string;
  /** The web app goes beside the bundle. */
  readonly web: boolean;
  readonly config: ImageConfig;
}

export const nodePath = '/nodejs/bin/node';

function spec(name: ImageName, user: number, ports: readonly number[], web = false): ImageSpec {
  const flags = name === 'satellite' ? satelliteNodeFlags : nodeFlags;
  const entrypoint = [nodePath, ...flags, `/app/${name}.mjs`];
  return {
    name,
    entry: bundles[name],
    web,
    config: { user, workingDirectory: '/app', entrypoint, env: nodeEnvironment, ports },
  };
}

/** Users are those of the chart's security contexts. */
export const imageSpecs: Readonly<Record<ImageName, ImageSpec>> = {
  controller: spec('controller', 1000, [8081, 9090]),
  api: spec('api', 1000, [8080, 8081, 9090]),
  frontend: spec('frontend', 65_532, [3000, 3443], true),
  satellite: spec('satellite', 65_532, [8080]),
};
