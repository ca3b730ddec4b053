/** Values that must never reach a log, and texts that carry them under a known name. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const hidden = '[redacted]';
/** Fields and headers whose value is a credential, however it is written: JSON, form or header. */
const secretName =
  '(?:x-amz-security-token|x-amz-credential|x-amz-signature|(?:\\w*password)|secretaccesskey|sessiontoken|accesskeyid|webidentitytoken|samlassertion|secretstring|proxy-authorization)';
const jsonField = new RegExp(`("${secretName}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi');
const formField = new RegExp(`((?:^|[?&\\s])${secretName}=)[^&\\s"]*`, 'gi');
/** The scope after the key id stays: region and service are what one looks for. */
const keyId = /(Credential=)[^/,&\s"]+/g;
const signature = /(Signature=)[^,&\s"]+/g;
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s"@]+@/gi;

/** The text with every credential in it replaced: by what it says, and by where it stands. */
export function redacted(text: string, credentials?: Credentials): string {
  let safe = text;
  const values = [credentials?.secretAccessKey, credentials?.sessionToken, credentials?.accessKeyId];
  for (const value of values) {
    // A shorter one would blank out half of every line.
    if (value === undefined || value.length < 8) continue;
    for (const form of new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])) {
      safe = safe.replaceAll(form, hidden);
    }
  }
  return safe
    .replace(jsonField, `$1"${hidden}"`)
    .replace(formField, `$1${hidden}`)
    .replace(keyId, `$1${hidden}`)
    .replace(signature, `$1${hidden}`)
    .replace(userInfo, `$1${hidden}@`);
}

/** Headers as one plain object, without credentials. The signature's scope and the signed names stay: they are why one looks. */
export function redactedHeaders(
  headers: Readonly<Record<string, string>>,
  credentials?: Credentials,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (lower === 'x-amz-security-token' || lower === 'proxy-authorization') return [name, hidden];
      // A bearer token or basic sign-in has no part that may be shown.
      if (lower === 'authorization' && !value.startsWith('AWS4-')) return [name, hidden];
      return [name, redacted(value, credentials)];
    }),
  );
}
