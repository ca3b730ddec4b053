/** What an error of an SDK says, without its stack: the cloud's name for it, its words, and whether it may pass. */
export interface CloudError {
  readonly code: string;
  readonly message: string;
  /** 0 when no answer came. */
  readonly status: number;
  readonly kind: 'not-found' | 'invalid-state' | 'throttled' | 'denied' | 'refused' | 'no-answer';
}

interface SdkError {
  readonly name?: string;
  readonly message?: string;
  readonly Code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const throttled = /throttl|toomanyrequests|requestlimitexceeded|limitexceededexception|slowdown|bandwidthlimit/i;
const denied =
  /accessdenied|unauthorized|notauthorized|invalidclienttokenid|unrecognizedclient|signaturedoesnotmatch|expiredtoken|missingauthenticationtoken|optinrequired|authfailure|invalidaccesskeyid/i;
const noCredentials = /credential/i;

export function cloudError(error: unknown): CloudError {
  const { name = 'Error', message = String(error), Code, $metadata } = (error ?? {}) as SdkError;
  const code = Code ?? name;
  const status = $metadata?.httpStatusCode ?? 0;
  return { code, message, status, kind: kindOf(code, name, message, status) };
}

function kindOf(code: string, name: string, message: string, status: number): CloudError['kind'] {
  const names = `${code} ${name}`;
  if (throttled.test(names) || status === 429) return 'throttled';
  if (/NotFound/.test(names)) return 'not-found';
  if (/Invalid(DBInstance|DBCluster)\w*State/.test(names)) return 'invalid-state';
  if (denied.test(names) || status === 401 || status === 403) return 'denied';
  // No call was made: the machine has nothing to sign with.
  if (status === 0 && noCredentials.test(`${name} ${message}`)) return 'denied';
  return status >= 400 && status < 500 ? 'refused' : 'no-answer';
}

export function cloudWords({ code, message }: CloudError): string {
  return message.includes(code) || code === 'Error' ? message : `${code}: ${message}`;
}
