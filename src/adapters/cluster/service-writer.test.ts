import { describe, expect, it } from 'vitest';
import { embeddedClient } from '../../../test/support/embedded-client.ts';
import { redirectedLabel } from '../../domain/redirect/marks.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { KubernetesServices } from './service-writer.ts';

describe('the search for redirected services', () => {
  it('finds those that carry our label', async () => {
    const { client } = await embeddedClient('shop');
    const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
    await client.create(resources.services, 'shop', {
      metadata: { name: 'ours', labels: { [redirectedLabel]: 'true' } },
      spec,
    });
    await client.create(resources.services, 'shop', { metadata: { name: 'theirs' }, spec });
    expect((await new KubernetesServices(client).redirected()).map(({ name }) => name)).toEqual(['ours']);
  });

  it('finds none where the account has no right on services: an installation without redirection', async () => {
    const { client, api } = await embeddedClient('shop');
    api.faults.add({ match: ({ resource }) => resource === 'services', effect: { kind: 'fail', status: 403 } });
    expect(await new KubernetesServices(client).redirected()).toEqual([]);
  });

  it('does not take a cluster that cannot answer for one without redirected services', async () => {
    const { client, api, clock } = await embeddedClient('shop');
    api.faults.add({ match: ({ resource }) => resource === 'services', effect: { kind: 'fail', status: 400 } });
    const searched = new KubernetesServices(client).redirected().catch((error: unknown) => error);
    await clock.advance(120_000);
    expect(await searched).toBeInstanceOf(Error);
  });
});

describe('a write to a Service that the cluster is too busy for', () => {
  it('is sent once: who redirects keeps a pace of its own', async () => {
    const { client, api, clock } = await embeddedClient('shop');
    const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
    await client.create(resources.services, 'shop', { metadata: { name: 'web' }, spec });
    const services = new KubernetesServices(client);
    const web = (await services.read({ namespace: 'shop', name: 'web' }))!;
    let sent = 0;
    api.faults.onRequest(({ verb }) => {
      if (verb === 'patch') sent++;
    });
    const busy = { kind: 'fail', status: 429, retryAfterSeconds: 1 } as const;
    api.faults.add({ match: ({ verb }) => verb === 'patch', effect: busy });
    const written = services.redirect(web);
    await clock.advance(60_000);
    expect([await written, sent]).toMatchObject([{ outcome: 'refused', status: 429 }, 1]);
  });
});
