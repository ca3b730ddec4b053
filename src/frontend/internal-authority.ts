export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

const internalHost = 'svc.internal';

const days = 24 * 60 * 60 * 1000;

/**
 * A certificate for `svc.internal` from an authority that lives only here: it encrypts, and only callers that do not
 * verify accept it. The library is loaded by the first caller, because most installations never have one.
 */
export async function internalCertificate(now: number): Promise<KeyAndCertificate> {
  // Its parts find each other by metadata that must be there before them.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(crypto);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const usages: KeyUsage[] = ['sign', 'verify'];
  const authority = await crypto.subtle.generateKey(algorithm, true, usages);
  const server = await crypto.subtle.generateKey(algorithm, true, usages);
  const dates = { notBefore: new Date(now - days), notAfter: new Date(now + 3650 * days) };
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=svc internal CA',
    keys: authority,
    signingAlgorithm: algorithm,
    ...dates,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${internalHost}`,
    issuer: root.subject,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    ...dates,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: internalHost }]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.BasicConstraintsExtension(false, undefined, true),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', server.privateKey)).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
    cert: `${certificate.toString('pem')}\n${root.toString('pem')}\n`,
  };
}
