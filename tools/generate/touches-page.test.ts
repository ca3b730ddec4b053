import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rightsTable } from './rights-table.ts';
import { touchesPage } from './touches-page.ts';

const policy = readFileSync(join(import.meta.dirname, '../../charts/svc/templates/admission-policy.yaml'), 'utf8');

describe('the page of what the service touches', () => {
  const page = touchesPage();

  it('has a line for every right to write', () => {
    const written = rightsTable.flatMap(({ group, resources, verbs }) =>
      resources.flatMap((resource) =>
        verbs
          .filter((verb) => ['create', 'update', 'patch', 'delete'].includes(verb))
          .map((verb) => `| \`${group === '' ? '' : `${group}/`}${resource}\` | ${verb} |`),
      ),
    );
    expect(written.filter((begins) => !page.includes(begins))).toEqual([]);
  });

  it('names the fields that the admission policy lets our accounts change, kind by kind', () => {
    const [, table = ''] = /\{('Deployment': .*?)\}\[\?request/.exec(policy) ?? [];
    const fields = [...table.matchAll(/'(\w+)': \['(\w+)'\]/g)].map(([, kind, field]) => ({ kind, field }));
    expect(fields.length).toBeGreaterThanOrEqual(4);
    for (const { kind, field } of fields) {
      const row = page.split('\n').find((line) => line.includes(`${kind?.toLowerCase()}s\` | patch`));
      expect(row, kind).toContain(`\`spec.${field}\``);
    }
  });

  it('names both annotations that keep a node, and no other foreign one', () => {
    const [, list = ''] = /'Pod' \? \[(.*?)\]/.exec(policy) ?? [];
    for (const [, name] of list.matchAll(/'([^']+)'/g)) expect(page).toContain(`\`${name}\``);
  });
});
