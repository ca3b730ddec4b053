import type { Scalable } from '../workload.ts';

/** `config.insights` as far as it stands in for requests that nobody wrote. */
export interface RequestDefaults {
  readonly defaultCPUCores: number;
  readonly defaultMemoryGB: number;
}

export interface Request {
  readonly cores: number;
  /** In GiB: what `512Mi` is half of. */
  readonly memoryGB: number;
}

const bytesPerGB = 2 ** 30;

/** What one replica asks for, container by container; the default stands in for each request that is missing. */
export function requestOf({ containers }: Pick<Scalable, 'containers'>, defaults: RequestDefaults): Request {
  let cores = 0;
  let memoryGB = 0;
  for (const { cpuCores, memoryBytes } of containers) {
    cores += cpuCores ?? defaults.defaultCPUCores;
    memoryGB += memoryBytes === undefined ? defaults.defaultMemoryGB : memoryBytes / bytesPerGB;
  }
  return { cores, memoryGB };
}
