export interface SignableRequest {
  readonly method: string;
  /** The whole URI, as the one who signs means it. */
  readonly targetUri: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * The text that is signed (RFC 9421, section 2.5): one line a component, and the parameters last. Undefined when the
 * request lacks a component, or it is one that we do not know.
 */
export function signatureBase(
  request: SignableRequest,
  components: readonly string[],
  parametersText: string,
): string | undefined {
  const lines: string[] = [];
  for (const component of components) {
    const value = component.startsWith('@') ? derived(component, request) : field(component, request.headers);
    if (value === undefined) return undefined;
    lines.push(`"${component}": ${value}`);
  }
  lines.push(`"@signature-params": ${parametersText}`);
  return lines.join('\n');
}

function derived(component: string, { method, targetUri }: SignableRequest): string | undefined {
  if (component === '@method') return method;
  if (component === '@target-uri') return targetUri;
  const url = URL.parse(targetUri);
  if (url === null) return undefined;
  switch (component) {
    case '@authority':
      return url.host;
    case '@scheme':
      return url.protocol.slice(0, -1);
    case '@path':
      return url.pathname;
    case '@query':
      return url.search === '' ? '?' : url.search;
    case '@request-target':
      return `${url.pathname}${url.search}`;
    default:
      return undefined;
  }
}

function field(name: string, headers: SignableRequest['headers']): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  return [value]
    .flat()
    .map((line) => line.trim().replace(/\s*\r?\n\s+/g, ' '))
    .join(', ');
}
