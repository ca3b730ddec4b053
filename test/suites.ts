import type { Provisions } from '../tools/provision/provision.ts';

export interface Suite {
  readonly name: string;
  /** What has to be on the machine; it is installed or built when it is missing. */
  readonly needs: readonly (keyof Provisions)[];
  /** What only the file of that name needs: a run that names files has only theirs installed. */
  readonly needsOfFile?: Readonly<Record<string, readonly (keyof Provisions)[]>>;
  /** Flags of this suite that become environment variables for its tests: `--seeds 2000`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** What runs in the place of the tests where a flag was given, by its variable. It leaves a report as vitest does. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Left out of a run that names no suite: it builds for an hour on a cold machine. */
  readonly onlyByName?: boolean;
}

/**
 * In the order in which they run: the quick ones that find most first, and last the one that keeps every core busy by itself, when those
 * on control planes are through or, on a cold machine, no longer being built.
 */
export const suites: readonly Suite[] = [
  { name: 'check', needs: [] },
  { name: 'unit', needs: [] },
  { name: 'docs', needs: ['kubectl'] },
  { name: 'wiring', needs: ['helm'] },
  { name: 'contract', needs: ['controlplane'] },
  { name: 'cluster', needs: ['controlplane', 'helm'] },
  { name: 'chart', needs: ['controlplane', 'helm', 'promtool', 'nodes'] },
  { name: 'aws', needs: ['moto'] },
  { name: 'browser', needs: ['chromium'] },
  {
    name: 'simulation',
    needs: [],
    flags: {
      '--seeds': 'SIMULATION_SEEDS',
      '--from': 'SIMULATION_FROM',
      '--world': 'SIMULATION_WORLD',
      '--hours': 'SIMULATION_HOURS',
    },
    programs: { SIMULATION_HOURS: 'test/simulation/long-run/hours-entry.ts' },
  },
  {
    name: 'neighbours',
    needs: ['controlplane', 'helm'],
    needsOfFile: {
      'flux.test.ts': ['git', 'kustomize-controller', 'source-controller'],
      'argo-rollouts.test.ts': ['argo-rollouts'],
      'keda.test.ts': ['keda'],
      'argo-cd.test.ts': ['git', 'redis', 'argo-cd'],
    },
    onlyByName: true,
  },
];
