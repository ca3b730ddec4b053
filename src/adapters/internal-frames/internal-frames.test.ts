import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { isOff } from '../../ports/off.ts';
import type { Frame, FrameSink } from '../../ports/sinks.ts';
import { internalFrames } from './internal-frames.ts';

let server: Server;
let frames: FrameSink;
let heard: Frame[];
let arrived: () => void;
let waiting: ServerResponse[];
let authorization: string | undefined;
let logger: RecordingLogger;

/** An API that answers a frame only when the test lets it. */
beforeEach(async () => {
  heard = [];
  waiting = [];
  arrived = () => {};
  server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    heard.push(JSON.parse(text));
    authorization = request.headers.authorization;
    waiting.push(response);
    arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  logger = new RecordingLogger();
  const made = internalFrames({ API_URL: url, INTERNAL_API_SECRET: 'secret\n' }, logger);
  if (isOff(made)) throw new Error(made.off);
  frames = made;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function until(count: number): Promise<void> {
  while (heard.length < count) {
    await new Promise<void>((resolve) => {
      arrived = resolve;
    });
  }
}

/** Answers what is under way, and everything after it, until so many were heard. */
async function answerUntil(count: number): Promise<void> {
  while (heard.length < count) {
    waiting.shift()?.end('{}');
    await until(heard.length + 1);
  }
}

const transition = (id: string, up: number): Frame => ({ kind: 'transition', payload: { progress: { id, up } } });

describe('frames to the API', () => {
  it('are the newest of a transition, while an older one waits', async () => {
    for (const up of [1, 2, 3]) frames.send(transition('wake-1', up));
    await until(1);
    await answerUntil(2);
    expect(heard).toEqual([transition('wake-1', 1), transition('wake-1', 3)]);
  });

  it('have the end of one transition and the beginning of the next', async () => {
    frames.send(transition('wake-1', 1));
    frames.send(transition('wake-1', 2));
    frames.send(transition('hibernation-2', 0));
    frames.send(transition('hibernation-2', 1));
    await until(1);
    await answerUntil(3);
    expect(heard).toEqual([transition('wake-1', 1), transition('wake-1', 2), transition('hibernation-2', 1)]);
  });

  it('have every audit entry, in whatever order they come and go', async () => {
    const audit = (id: number): Frame => ({ kind: 'audit', payload: { id } });
    frames.send(transition('wake-1', 1));
    await until(1);
    frames.send(transition('wake-1', 2));
    frames.send(audit(1));
    await answerUntil(2);
    // One frame fewer waits now than when the first entry came.
    frames.send(audit(2));
    await answerUntil(4);
    expect(heard.slice(2)).toEqual([audit(1), audit(2)]);
  });

  it('carry the secret without the line break at its end', async () => {
    frames.send(transition('wake-1', 1));
    await until(1);
    expect(authorization).toBe('Bearer secret');
  });

  it('that are refused are a warning, said once until one is taken', async () => {
    const answers = [401, 401, 200, 401, 500];
    for (const [index, status] of answers.entries()) {
      frames.send({ kind: 'audit', payload: { index } });
      await until(index + 1);
      waiting.shift()?.writeHead(status).end('{}');
    }
    // The next is sent only once the last was answered.
    frames.send(transition('wake-1', 1));
    await until(answers.length + 1);
    expect(logger.lines.map(({ level, message, fields }) => [level, message, fields['status']])).toEqual([
      ['warn', 'The api refuses frames', 401],
      ['warn', 'The api refuses frames', 401],
      ['warn', 'The api refuses frames', 500],
    ]);
    expect(logger.lines[0]?.fields['hint']).toBe(
      'internal-api-secret is not the same for the controller and the api; restart the one that started before it was changed',
    );
  });
});
