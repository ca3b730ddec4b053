import type { Service } from './service.ts';

export interface SatellitePort {
  readonly number: number;
  /** Given where the Service names its target port: the pod then has to carry the name. */
  readonly name?: string;
}

/** Where named target ports listen; any number would do, as the Service finds them by name. */
const firstNamed = 20_000;

/** Every TCP target port of the Service, each once. */
export function satellitePorts({ ports }: Service): readonly SatellitePort[] {
  const tcp = ports.filter(({ protocol }) => protocol === 'TCP');
  const numbers = new Set(tcp.map(({ targetPort }) => targetPort).filter((target) => typeof target === 'number'));
  const names = new Set(tcp.map(({ targetPort }) => targetPort).filter((target) => typeof target === 'string'));
  const found: SatellitePort[] = [...numbers].sort((a, b) => a - b).map((number) => ({ number }));
  let free = firstNamed;
  for (const name of [...names].sort()) {
    while (numbers.has(free)) free += 1;
    found.push({ number: free, name });
    free += 1;
  }
  return found;
}

/** Why a Service cannot be redirected; undefined when it can. */
export function unsuitable(service: Service): string | undefined {
  if (service.deleting) return 'it is being deleted';
  if (service.type === 'ExternalName') return 'it is of type ExternalName and has no pods';
  if (Object.keys(service.selector).length === 0) return 'it has no selector';
  if (satellitePorts(service).length === 0) return 'it has no TCP port, and a satellite answers HTTP';
  return undefined;
}
