import { afterAll, beforeAll, describe } from 'vitest';
import { controllerCases } from './controllers.ts';
import { listCases } from './lists.ts';
import { objectCases } from './objects-crud.ts';
import { patchCases } from './patches.ts';
import { rbacCases } from './rbac.ts';
import type { Subject } from './subject.ts';
import { watchCases } from './watches.ts';

/** What the client and the service rely on: the same cases, none left out, on every cluster. */
export function contract(name: string, open: () => Promise<Subject>): void {
  describe(name, () => {
    let current: Subject | undefined;
    beforeAll(async () => {
      current = await open();
    });
    afterAll(() => current?.close());
    const subject = () => current!;
    objectCases(subject);
    listCases(subject);
    patchCases(subject);
    watchCases(subject);
    rbacCases(subject);
    controllerCases(subject);
  });
}
