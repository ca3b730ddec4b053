import type { KnipConfig } from 'knip';

/** Programs that are started by path, and so imported by nobody. A name with `!` is one of what ships. */
const programs = [
  'src/*/main.ts!',
  'src/cli/entry.ts!',
  'demo/main.mjs!',
  'web/app/main.tsx!',
  'web/vite.config.ts!',
  'tools/*.mjs!',
  'tools/*/*.mjs!',
  'tools/*/main.ts!',
  'tools/images/smoke/main.ts!',
  'tools/cluster/nodes/main.ts!',
  'bench/main.ts!',
  'bench/**/main.ts!',
  'bench/**/{entry,*-entry,server,*-server,measure,program,cluster,upstream,stranger}.ts!',
  'test/run.ts',
  'test/**/*-{entry,worker}.ts',
];

/**
 * Two questions, the second with `--production`: what does nobody import, and what would be gone if there were no tests.
 * The second leaves be what the file itself uses: a test may look inside.
 */
export default ({ production = false }: { readonly production?: boolean }): KnipConfig => ({
  entry: [...programs, '**/*.test.{ts,tsx}'],
  project: [
    '{src,web,embedded-cluster,demo,tools,bench}/**/*.{ts,tsx,mjs}!',
    'test/**/*.ts',
    '!**/*.gen.ts',
    '!**/*.test.{ts,tsx}!',
  ],
  ...(production
    ? {
        ignoreExportsUsedInFile: true,
        // The doors of their folders: a test comes in through them too.
        ignoreIssues: {
          'src/config/config.ts': ['exports', 'types'],
          'src/contract/contract.ts': ['exports', 'types'],
        },
      }
    : {}),
  // Types of a package that brings none, which knip does not see in test support.
  ignoreDependencies: ['@types/smtp-server'],
});
