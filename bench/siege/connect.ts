import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** A connection on which something can be said once `ready` is called; whose certificate it is does not matter here. */
export function connectTo(port: number, secure: boolean, ready: () => void): Socket {
  const to = { port, host: '127.0.0.1' } satisfies NetConnectOpts;
  return secure ? connectSecurely({ ...to, rejectUnauthorized: false }, ready) : connect(to, ready);
}
