/** The manifest of krew for an archive that lies at an address; krew checks the sum before it unpacks. */
export function krewManifest(options: {
  readonly version: string;
  readonly uri: string;
  readonly sha256: string;
}): object {
  const { version, uri, sha256 } = options;
  return {
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'svc' },
    spec: {
      version: `v${version}`,
      shortDescription: 'Ask and steer the cluster hibernation service',
      description:
        'Tells why a cluster or a workload is up or down, wakes it, keeps it awake, stands the service down.\nIt goes to the cluster of the kubeconfig, or with --server to the API.',
      caveats: 'Needs Node.js 26 or newer.',
      platforms: [
        {
          selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['darwin', 'linux'] }] },
          uri,
          sha256,
          bin: 'cli.mjs',
          files: [{ from: '*', to: '.' }],
        },
      ],
    },
  };
}
