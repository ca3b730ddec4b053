import { describe, expect, it } from 'vitest';
import { configInFront } from './config-in-front.ts';

const general = { clusterName: 'demo' };
const own = { externalUrl: 'http://localhost:3000', allowInsecureExternalUrl: true };
const admin = 'admin@svc.local';

describe('the configuration with which the demo runs on a real cluster', () => {
  it('is a dry run without --act, whatever the release says, and lets the demo admin in', () => {
    const installed = {
      clusterName: 'staging',
      externalUrl: 'https://svc.example.com',
      auth: { adminUsers: ['ada@example.com'], allowedEmailDomains: ['example.com'] },
      operations: { dryRun: false, logLevel: 'debug' },
    };
    expect(configInFront({ installed, general, own, admin, act: false })).toEqual({
      clusterName: 'staging',
      ...own,
      auth: { adminUsers: ['ada@example.com', admin], allowedEmailDomains: ['example.com'] },
      operations: { dryRun: true, logLevel: 'debug' },
    });
  });

  it('stands in for a release that is not there', () => {
    expect(configInFront({ general, own, admin, act: true })).toEqual({
      clusterName: 'demo',
      ...own,
      auth: { adminUsers: [admin] },
      operations: { dryRun: false },
    });
  });

  it('with --act leaves a release that is in dry run in it', () => {
    const installed = { operations: { dryRun: true } };
    expect(configInFront({ installed, general, own, admin, act: true })).toMatchObject({
      operations: { dryRun: true },
    });
  });
});
