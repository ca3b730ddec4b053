/**
 * One HTTP exchange with a Kubernetes API. The real transport speaks TLS to an apiserver; the embedded cluster answers
 * in process. The client above it (paging, watches, limits, retries) is the same for both.
 */
export interface Transport {
  /**
   * Resolves once the status and headers are there; the body streams after that (a watch never ends by itself).
   * Rejects only when no answer came: refused, reset, timed out, aborted. A status of 400 and more is an answer.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with query, for example `/api/v1/namespaces/shop/pods?limit=100`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborting it closes the connection, also in the middle of a body. */
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8 text in pieces of any size; a piece may end in the middle of a character only if it is a Uint8Array. */
  readonly body: AsyncIterable<Uint8Array | string>;
}
