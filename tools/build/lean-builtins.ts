import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const namespace = 'lean-builtin';
const builtins = new Set(builtinModules);

/**
 * Takes Node's own modules by `process.getBuiltinModule` instead of by import. An import reads every export of the module,
 * the lazy ones too: for `node:http` that loads a WebSocket client, HTTP/2 and worker threads, 13 MiB that nobody uses.
 */
export const leanBuiltins: Plugin = {
  name: 'lean-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (kind !== 'import-statement' || !builtins.has(name)) return undefined;
      return { path: name, namespace };
    });
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
      loader: 'js',
    }));
  },
};
