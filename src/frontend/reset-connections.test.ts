import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetConnections, turnsOfTheLoop } from '../../test/support/resetting-stranger.ts';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { type RunningFrontend, startFrontend } from './frontend.ts';

let folder: string;
let frontend: RunningFrontend;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'resets-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  frontend = await startFrontend({
    webRoot: folder,
    apiUrl: 'http://127.0.0.1:9',
    externalUrl: 'https://svc.example.com',
    httpPort: 0,
    httpsPort: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger: silentLogger,
  });
});

afterAll(async () => {
  await frontend.stop();
  await rm(folder, { recursive: true });
});

/** In TLS, whose own goodbye is left out by the reset of what is below it. */
function securely(port: number, text: string, turns: number): Promise<void> {
  return new Promise((resolve) => {
    const below = connect(port, '127.0.0.1');
    const socket = connectSecurely({ socket: below, rejectUnauthorized: false }, () => {
      socket.write(text, () => void turnsOfTheLoop(turns).then(() => below.resetAndDestroy()));
    });
    socket.on('error', () => {});
    below.on('error', () => {});
    below.on('close', () => resolve());
  });
}

describe('a connection that is reset, whatever was said on it', () => {
  it('is nothing to the listener for HTTP', async () => {
    expect(await resetConnections(frontend.httpPort)).toEqual([]);
  });

  it('is nothing to the listener for HTTPS, in TLS or without', async () => {
    expect(await resetConnections(frontend.httpsPort!, securely)).toEqual([]);
    expect(await resetConnections(frontend.httpsPort!)).toEqual([]);
  });
});
