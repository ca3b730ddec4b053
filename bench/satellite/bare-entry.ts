// The limit that the satellite is measured against: Node's own server with one fixed answer of the same size.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = 'x'.repeat(Number(process.argv[2]));
const server = createServer((_request, response) => {
  response.writeHead(503, { 'content-type': 'text/html', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`{"ports":[${(server.address() as AddressInfo).port}]}\n`);
});
