import { annotations, product } from '../names.ts';
import type { StringMap } from '../workload.ts';
import { satelliteLabel, satelliteRef, satelliteSelector, satelliteSpecAnnotation } from './marks.ts';
import { type SatellitePort, satellitePorts } from './satellite-ports.ts';
import type { Service } from './service.ts';

/** Where satellites may run, as a pod spec has it. */
export interface SatellitePlacement {
  readonly nodeSelector?: StringMap;
  readonly tolerations?: readonly object[];
  readonly affinity?: object;
}

/** What all satellites of an installation share. */
export interface SatelliteSettings {
  readonly image: string;
  readonly imagePullPolicy: string;
  /** In the namespace of each Service: a pod takes no Secret of another namespace. */
  readonly imagePullSecrets: readonly string[];
  readonly placement: SatellitePlacement;
  /** Where a satellite asks for the status of the cluster; empty for nowhere. */
  readonly statusUrl: string;
  readonly clusterName: string;
  readonly externalUrl: string;
}

/** The Deployment that stands in for a Service, as the apiserver takes it. */
export interface SatelliteManifest {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly object[];
  };
  readonly spec: object;
}

/** What a satellite is made from, in one text: two with the same text are the same. */
export function satelliteSpec(service: Service, settings: SatelliteSettings): string {
  return JSON.stringify({ ports: satellitePorts(service), ...settings });
}

/**
 * No account, no token, no volume, a read-only root, no privileges: a stand-in that can do nothing but answer. It goes
 * with its Service, and is never hibernated itself.
 */
export function satelliteManifest(service: Service, settings: SatelliteSettings): SatelliteManifest {
  const ports = satellitePorts(service);
  const labels = { ...satelliteSelector(service), 'app.kubernetes.io/managed-by': product };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...satelliteRef(service),
      labels,
      annotations: { [annotations.exclude]: 'true', [satelliteSpecAnnotation]: satelliteSpec(service, settings) },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: service.name, uid: service.uid }],
    },
    spec: {
      replicas: 1,
      revisionHistoryLimit: 0,
      selector: { matchLabels: { [satelliteLabel]: service.name } },
      template: {
        metadata: { labels, annotations: { [annotations.exclude]: 'true' } },
        spec: podSpec(service, settings, ports),
      },
    },
  };
}

function podSpec(service: Service, settings: SatelliteSettings, ports: readonly SatellitePort[]): object {
  const privileged = ports.some(({ number }) => number < 1024);
  const first = ports[0];
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 10,
    ...(settings.imagePullSecrets.length === 0
      ? {}
      : { imagePullSecrets: settings.imagePullSecrets.map((name) => ({ name })) }),
    ...settings.placement,
    securityContext: {
      // The image names its user. A fixed one here would be refused where the platform assigns users to namespaces.
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
      // Lets a process without privileges take the low ports that the service's own pods listen on.
      ...(privileged ? { sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] } : {}),
    },
    containers: [
      {
        name: 'satellite',
        image: settings.image,
        imagePullPolicy: settings.imagePullPolicy,
        env: variables(service, settings, ports),
        ports: ports.map(({ number, name }) => ({ containerPort: number, ...(name === undefined ? {} : { name }) })),
        ...(first === undefined
          ? {}
          : { readinessProbe: { httpGet: { path: '/healthz', port: first.number }, periodSeconds: 2 } }),
        resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '64Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  };
}

function variables(service: Service, settings: SatelliteSettings, ports: readonly SatellitePort[]): object[] {
  const values: Readonly<Record<string, string>> = {
    SERVICE_NAMESPACE: service.namespace,
    SERVICE_NAME: service.name,
    CLUSTER_NAME: settings.clusterName,
    EXTERNAL_URL: settings.externalUrl,
    STATUS_URL: settings.statusUrl,
    PORTS: ports.map(({ number }) => number).join(','),
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
