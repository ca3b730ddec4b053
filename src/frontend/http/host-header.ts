/** A `Host` header in the form in which hosts are compared. */
export interface Host {
  /** Lower case; IPv6 in brackets and in its shortest form. */
  readonly name: string;
  /** Absent when the header names none: then the default port of whatever address it is compared with is meant. */
  readonly port?: number;
  /** As the client wrote it. */
  readonly text: string;
}

const longestName = 253;

/** Undefined for what is no host: such a request is answered 400, because nothing it asks for can be named. */
export function parseHost(text: string | undefined): Host | undefined {
  const parts = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(text ?? '');
  if (text === undefined || parts === null) return undefined;
  const name = hostName(parts[1]!);
  if (name === undefined) return undefined;
  if (parts[2] === undefined) return { name, text };
  const port = Number(parts[2]);
  return port >= 1 && port <= 65_535 ? { name, port, text } : undefined;
}

function hostName(text: string): string | undefined {
  if (!text.startsWith('[')) return text.length <= longestName ? text.toLowerCase() : undefined;
  return URL.parse(`http://${text}`)?.hostname;
}
