import { dirname, join, normalize } from 'node:path';
import { isTest, lineAt, type Violation } from './violation.ts';

/** Questions that are assembled in one place: whoever calls the decision past it would assemble its input a second time. */
const askedBy: readonly {
  /** Without one: each function of the file. */
  readonly name?: string;
  readonly of: string;
  readonly only: string;
  /** Who asks what needs no assembly. */
  readonly also?: string;
}[] = [
  { of: 'src/domain/desired/desired-state.ts', only: 'src/service/desired.ts' },
  {
    of: 'src/domain/desired/choice.ts',
    only: 'src/service/desired.ts',
    also: 'src/controller/upkeep/ended-hibernation.ts',
  },
  { name: 'clusterState', of: 'src/domain/cluster-state.ts', only: 'src/service/cluster-state.ts' },
  { name: 'wantsSatellite', of: 'src/domain/redirect/backing.ts', only: 'src/domain/redirect/night.ts' },
  { name: 'stayingUp', of: 'src/domain/redirect/night.ts', only: 'src/service/redirect-night.ts' },
  { name: 'classify', of: 'src/domain/targeting/targeting.ts', only: 'src/service/workload-table.ts' },
  { name: 'compileTargeting', of: 'src/domain/targeting/targeting.ts', only: 'src/service/compiled-config.ts' },
  { name: 'assignTiers', of: 'src/domain/ordering/ordering.ts', only: 'src/domain/ordering/order.ts' },
  { name: 'compileSchedule', of: 'src/domain/schedule/compile.ts', only: 'src/service/compiled-config.ts' },
  { name: 'compileConfig', of: 'src/service/compiled-config.ts', only: 'src/service/configuration.ts' },
  { name: 'ConfigSource', of: 'src/platform/config-source.ts', only: 'src/service/service.ts' },
  { name: 'KubeClient', of: 'src/adapters/kubernetes/client/kube-client.ts', only: 'src/service/connect-client.ts' },
  { name: 'KubernetesServices', of: 'src/adapters/cluster/service-writer.ts', only: 'src/service/service.ts' },
  {
    name: 'KeyFolder',
    of: 'src/adapters/http-signatures/key-folder.ts',
    only: 'src/adapters/http-signatures/key-folder.ts',
  },
  { name: 'ownArchitecture', of: 'src/platform/own-architecture.ts', only: 'src/service/service.ts' },
  { name: 'KubernetesClusterView', of: 'src/adapters/cluster/cluster-view.ts', only: 'src/service/service.ts' },
  { name: 'ConfigMapWatch', of: 'src/adapters/cluster/config-map-watch.ts', only: 'src/service/service.ts' },
];

const importPattern = /(?:import|export)\s*(\{[^}]*\}|\*[\w\s]*)\s*from\s*['"](\.[^'"]+)['"]/g;

/** Imports of a decision by somebody who should ask the place that assembles its input. Types may go anywhere. */
export function secondAskers(file: string, source: string): Violation[] {
  if (!file.startsWith('src/') || isTest(file)) return [];
  const found: Violation[] = [];
  for (const match of source.matchAll(importPattern)) {
    const target = normalize(join(dirname(file), match[2]!)).replaceAll('\\', '/');
    const asked = askedIn(match[1]!);
    for (const { name, of, only, also } of askedBy) {
      const within = dirname(of) === dirname(file) && of.startsWith('src/domain/');
      if (target !== of || file === only || file === also || within) continue;
      const line = lineAt(source, match.index + match[0].length);
      for (const one of asked.filter((each) => name === undefined || each === name || each === everything)) {
        found.push({ file, line, message: `${one} is asked by ${only} alone; ask that, so that all get one answer` });
      }
    }
  }
  return found;
}

const everything = 'everything of the file';

/** The values of an import; types are not asked anything. */
function askedIn(names: string): readonly string[] {
  if (names.startsWith('*')) return [everything];
  const each = names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim());
  return each.filter((name) => name !== '' && !name.startsWith('type ')).map((name) => name.split(/\s+as\s+/)[0]!);
}

/** What is handed to a process at its start, by the names of the interfaces that say so. */
const portsPattern =
  /export interface (\w*(?:Ports|Features|FeatureBase|FeatureEnvironment|ServiceOptions|Service))\b[^{]*\{\n([\s\S]*?)\n\}/g;

/** Settings with a documented default; anything else that a process is started with has to be given. */
const settings: ReadonlySet<string> = new Set([
  'figures',
  'watchClock',
  'loop',
  'partSizes',
  'requestTimeoutMs',
  'rate',
  'port',
  'host',
  'trustedProxies',
  'requestsPerMinute',
  'streams',
  'requestTimeouts',
]);
const optionsPattern = /export interface (ControllerOptions|ApiOptions|ApiSettings)\b[^{]*\{\n([\s\S]*?)\n\}/g;

/** Ports that may be left out: a feature that is off is a value that says why, never an absence. */
export function optionalPorts(file: string, source: string): Violation[] {
  if (!/^src\/(service|controller|api|cli)\//.test(file) || isTest(file)) return [];
  const found: Violation[] = [];
  const look = (pattern: RegExp, allowed: ReadonlySet<string>) => {
    for (const match of source.matchAll(pattern)) {
      for (const member of match[2]!.matchAll(/^ {2}(?:readonly )?(\w+)\?\s*[:(]/gm)) {
        if (allowed.has(member[1]!)) continue;
        const at = match.index + match[0].indexOf(match[2]!) + member.index;
        const line = source.slice(0, at).split('\n').length;
        found.push({
          file,
          line,
          message: `${match[1]}.${member[1]} may be left out; require it, with an Off that says why`,
        });
      }
    }
  };
  look(portsPattern, new Set());
  look(optionsPattern, settings);
  return found;
}

/** Methods that whoever implements an interface may leave out: who calls them cannot tell "nothing to do" from "forgotten". */
export function optionalMethods(file: string, source: string): Violation[] {
  if (!/^src\/(ports|service|controller|api)\//.test(file) || isTest(file)) return [];
  return [...source.matchAll(/^ {2}(\w+)\?\(/gm)].map((match) => ({
    file,
    line: lineAt(source, match.index),
    message: `${match[1]} may be left out; require it, and answer that there is nothing to do where that is so`,
  }));
}
