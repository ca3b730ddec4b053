import { stringify } from 'yaml';

export interface KubeconfigInput {
  readonly name: string;
  readonly server: string;
  /** PEM; absent for a plain HTTP server. */
  readonly certificateAuthority?: string;
  /** Absent where the server asks nobody who they are. */
  readonly token?: string;
  readonly namespace?: string;
}

/** A kubeconfig that stands alone: the certificate is inside, so the file can be copied anywhere. */
export function kubeconfigText(input: KubeconfigInput): string {
  const { name, server, certificateAuthority, token, namespace } = input;
  const authority =
    certificateAuthority === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server, ...authority } }],
      users: [{ name, user: token === undefined ? {} : { token } }],
      contexts: [{ name, context: { cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) } }],
      'current-context': name,
    },
    { lineWidth: 0 },
  );
}
