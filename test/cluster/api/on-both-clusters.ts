import { afterAll, beforeAll, describe } from 'vitest';
import { embeddedSubject, realSubject, type Subject } from '../../contract/subject.ts';
import { ApiRelease } from './api-release.ts';

export interface RunningApi {
  subject: Subject;
  release: ApiRelease;
}

/** The same tests of a running API on the embedded and on the real cluster. What they are given is there once they run. */
export function onBothClusters(title: string, tests: (running: RunningApi) => void): void {
  describe.each([
    ['the embedded cluster', embeddedSubject],
    ['the real cluster', realSubject],
  ])(`${title} on %s`, (_, make) => {
    const running = {} as RunningApi;
    beforeAll(async () => {
      running.subject = await make();
      running.release = await ApiRelease.install(running.subject);
      await running.release.start();
      await running.release.untilReady();
    });
    afterAll(async () => {
      await running.release?.close();
      await running.subject?.close();
    });
    tests(running);
  });
}
