import { build } from 'esbuild';
import { leanBuiltins } from './lean-builtins.ts';
import { withoutHttp2 } from './without-http2.ts';
import { withoutSchemaCompilers } from './without-schema-compilers.ts';

/** The processes that ship as one file each. */
export const bundles = {
  controller: 'src/controller/main.ts',
  api: 'src/api/main.ts',
  frontend: 'src/frontend/main.ts',
  satellite: 'src/satellite/main.ts',
  cli: 'src/cli/entry.ts',
} as const;

/**
 * One minified, tree-shaken file. Dependencies that only some installations need (cloud SDKs, mail, passkeys) are
 * imported dynamically by the code and become chunks beside it, so a process that does not use them never loads them.
 */
export async function bundle(
  entries: Readonly<Record<string, string>>,
  outdir: string,
  define: Readonly<Record<string, string>> = {},
): Promise<void> {
  await build({
    entryPoints: { ...entries },
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    // Names stay as they are, for whoever reads a stack; keeping them through renaming would cost every closure a call.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // The module build of the cloud SDKs shakes down to a quarter of the CommonJS one.
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    define: { ...define },
    plugins: [leanBuiltins, withoutHttp2, withoutSchemaCompilers],
    logLevel: 'warning',
  });
}

/** Programs of tests and benchmarks, bundled as the product is. A main.ts that one imports is a part of it, and does not run by itself. */
export function bundlePrograms(entries: Readonly<Record<string, string>>, outdir: string): Promise<void> {
  return bundle(entries, outdir, { 'import.meta.main': 'false' });
}
