import { expect, it } from 'vitest';
import { ownAddresses } from './own-addresses.ts';
import { isStreamRequest } from './route.ts';

const addresses = ownAddresses('https://svc.example.com/hib', 'http://svc.internal');

it.each([
  ['/api/v1/events', 'Bearer x', true],
  ['/api/v1/events?x=1', 'Bearer x', true],
  ['/hib/api/v1/events', 'Bearer x', true],
  ['/hib/api/v1/events?x=1', 'Bearer x', true],
  ['http://svc.example.com/hib/api/v1/events', 'Bearer x', true],
  ['http://svc.example.com/api/v1/events', 'Bearer x', true],
  ['/hib/api/v1/events', undefined, false],
  ['/other/api/v1/events', 'Bearer x', false],
  ['/hib/api/v1/hibernation/status', 'Bearer x', false],
  ['no target', 'Bearer x', false],
])('a request for %s with %s asks for a stream: %s', (url, authorization, stream) => {
  const headers = { host: 'svc.example.com', ...(authorization === undefined ? {} : { authorization }) };
  expect(isStreamRequest({ url, headers, rawHeaders: Object.entries(headers).flat() }, addresses)).toBe(stream);
});
