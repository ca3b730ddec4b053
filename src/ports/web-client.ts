export interface WebRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** An HTTP proxy to go through; empty goes straight. */
  readonly proxy?: string;
}

export interface WebAnswer {
  readonly status: number;
  /** In milliseconds, as the header `Retry-After` says. */
  readonly retryAfterMs?: number;
  /** At most 64 KiB of it. */
  readonly text: string;
}

/** One HTTP exchange with the outside. Redirects are not followed. */
export interface WebClient {
  /** Rejects when no answer came, in words that carry no address. A status of 400 and more is an answer. */
  send(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
}
