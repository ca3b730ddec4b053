import type { Plugin } from 'esbuild';

/**
 * Leaves undici's HTTP/2 client out: the API beside the frontend speaks HTTP/1.1 without TLS, and Node's http2 module alone
 * costs more memory than the rest of the proxy.
 */
export const withoutHttp2: Plugin = {
  name: 'without-http2',
  setup(build) {
    build.onResolve({ filter: /\/client-h2\.js$/ }, ({ path }) => ({ path, namespace: 'without-http2' }));
    build.onLoad({ filter: /.*/, namespace: 'without-http2' }, () => ({
      contents: `module.exports = () => { throw new Error('HTTP/2 is not spoken here'); };`,
      loader: 'js',
    }));
  },
};
