import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** Who may talk to the control plane, each by a token of its own: nobody needs a client certificate. */
export interface Credentials {
  readonly adminToken: string;
  readonly controllerManagerToken: string;
  readonly schedulerToken: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

export function newCredentials(): Credentials {
  const token = () => randomBytes(24).toString('hex');
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    adminToken: token(),
    controllerManagerToken: token(),
    schedulerToken: token(),
    serviceAccountKey: keys.privateKey,
    serviceAccountPublicKey: keys.publicKey,
  };
}

/** The apiserver's token file: token, user, uid, groups. */
export function tokenFile(credentials: Credentials): string {
  return [
    `${credentials.adminToken},admin,admin,"system:masters"`,
    `${credentials.controllerManagerToken},system:kube-controller-manager,kube-controller-manager,`,
    `${credentials.schedulerToken},system:kube-scheduler,kube-scheduler,`,
    '',
  ].join('\n');
}
