/** One HTTP exchange with the cluster's API, in process. Clients that speak this need no socket; others use `http/`. */
export interface Transport {
  /** Resolves once the status and headers are there; the body streams after that (a watch never ends by itself). */
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
  readonly body: AsyncIterable<Uint8Array | string>;
}
