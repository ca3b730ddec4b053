import type { Plugin } from 'esbuild';

/**
 * Leaves out the compilers of schemas that fastify brings along: the api gives it its own, and the text of what nobody runs
 * is held in memory all the same.
 */
export const withoutSchemaCompilers: Plugin = {
  name: 'without-schema-compilers',
  setup(build) {
    const filter = /^@fastify\/(ajv-compiler|fast-json-stringify-compiler)$/;
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'without-schema-compilers' }));
    build.onLoad({ filter: /.*/, namespace: 'without-schema-compilers' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('${path} is not bundled: give fastify a compilersFactory'); };`,
      loader: 'js',
    }));
  },
};
