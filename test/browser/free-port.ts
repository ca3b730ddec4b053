import { type AddressInfo, createServer } from 'node:net';

/** A port that nobody listens on: the own address has to be known before anything is started. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
