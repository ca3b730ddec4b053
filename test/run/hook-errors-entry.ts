import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Where the reporter writes, for who starts vitest. */
export const hookErrorsVariable = 'HOOK_ERRORS_FILE';

/** What hooks failed with. The JSON of vitest has only that the tests behind them were skipped. */
export default class HookErrors implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env[hookErrorsVariable];
    if (file !== undefined) writeFileSync(file, JSON.stringify(modules.flatMap(errorsOfHooks)));
  }
}

function errorsOfHooks(module: TestModule): readonly string[] {
  return [...module.children.allSuites()].flatMap((suite) =>
    suite
      .errors()
      .map(({ message }) => `${relative('.', module.moduleId)}: ${suite.fullName}: a hook failed: ${message}`),
  );
}
