import { describe, expect, it } from 'vitest';
import { embeddedClient } from '../../../test/support/embedded-client.ts';
import { auditEntry } from '../../domain/audit/entry.ts';
import { readEntries } from '../../domain/audit/stored-entry.ts';
import { AuditConfigMaps } from './audit-config-maps.ts';

const entry = (id: string, padding = '') =>
  auditEntry({
    id,
    at: 1_000,
    kind: 'stand-down',
    actor: 'admin@example.com',
    ...(padding === '' ? {} : { reason: padding }),
  });

async function auditOf() {
  const world = await embeddedClient();
  const audit = new AuditConfigMaps(world.client, 'svc');
  const ids = async () => (await audit.files()).flatMap(({ text }) => readEntries([text]).entries.map(({ id }) => id));
  return { ...world, audit, ids };
}

describe('the audit ConfigMaps', () => {
  it('keep entries in order', async () => {
    const { audit, ids } = await auditOf();
    for (const id of ['a', 'b', 'c']) await audit.append(entry(id));
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  it('keep an entry that is appended again once', async () => {
    const { audit, ids } = await auditOf();
    await audit.append(entry('a'));
    await audit.append(entry('a'));
    expect(await ids()).toEqual(['a']);
  });

  it('lose nothing when two writers append at once', async () => {
    const { audit, ids, client } = await auditOf();
    await audit.append(entry('first'));
    const other = new AuditConfigMaps(client, 'svc');
    await Promise.all(['a', 'b', 'c', 'd'].map((id, index) => (index % 2 ? audit : other).append(entry(id))));
    expect((await ids()).toSorted()).toEqual(['a', 'b', 'c', 'd', 'first']);
  });

  it('begin another file when one is full, and drop the oldest past the retention', async () => {
    const { audit } = await auditOf();
    for (let index = 0; index < 20; index++) await audit.append(entry(`e${index}`, 'x'.repeat(120_000)));
    const files = await audit.files();
    expect(files.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(files.every(({ text }) => text.length <= 262_144)).toBe(true);
  });
});
