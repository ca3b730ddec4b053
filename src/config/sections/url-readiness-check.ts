import { hostPattern } from '../formats/names.ts';
import { flag, int, list, record, text } from '../formats/value-types.ts';
import { proxy } from './proxy.ts';

export const urlReadinessCheck = record(
  {
    enabled: flag({ default: false, description: 'Check that a URL answers before it is called ready.' }),
    intervalSeconds: int({ default: 5, min: 1, max: 60, description: 'Seconds between two checks.' }),
    consecutiveThreshold: int({
      default: 3,
      min: 1,
      max: 30,
      description: 'Successes in a row before a URL is ready.',
    }),
    whitelist: list(text({ format: hostPattern, description: 'A pattern.' }), {
      description:
        'Hosts that may be checked; empty allows every host that is not private. One that is named here may be private.',
    }),
    proxyURL: proxy('HTTP proxy for these checks, instead of `config.proxyURL`.'),
  },
  { description: 'Readiness of URLs after a wake.' },
);
