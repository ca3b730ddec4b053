/** What proves who we are: a bearer token, or a client certificate with its key, or neither. */
export interface Proof {
  readonly token?: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
}

export interface Credential {
  /** The proof to send now; cheap, called for every request. */
  current(): Promise<Proof>;
  /** Reads or fetches it anew, because the cluster answered 401. */
  renew(): Promise<Proof>;
}

/** All that is needed to reach one cluster. */
export interface ClusterAccess {
  /** For example `https://10.0.0.1:443`; may end in a path. */
  readonly server: string;
  /** PEM of the authorities to trust instead of the machine's own. */
  readonly ca?: string;
  readonly insecureSkipTlsVerify: boolean;
  /** The name that the server's certificate must carry, when it is not the host of `server`. */
  readonly tlsServerName?: string;
  readonly credential: Credential;
  /** The namespace that is meant when none is named. */
  readonly namespace: string;
}

/** Says which file or variable is wrong, what is wrong with it, and what would be right. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
}

export function fixedCredential(proof: Proof): Credential {
  return { current: async () => proof, renew: async () => proof };
}
