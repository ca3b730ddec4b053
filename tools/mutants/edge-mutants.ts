import { type Mutant, unit } from './mutant.ts';

/** Where strangers come in: the frontend, and what the api lets whom do. */
export const edgeMutants: readonly Mutant[] = [
  {
    name: 'what is for the controller alone is open to everybody',
    file: 'src/frontend/route.ts',
    find: "return segments[2] === 'internal' || segments.includes('..');",
    put: "return segments.includes('..');",
    tests: [unit('src/frontend/frontend.test.ts', 'src/frontend/request-smuggling.test.ts')],
  },
  {
    name: "a stranger's word on where a request comes from is believed",
    file: 'src/frontend/forwarded.ts',
    find: "const before = proxies.trusts(peer.address) ? one(headers['x-forwarded-for']) : undefined;",
    put: "const before = one(headers['x-forwarded-for']);",
    tests: [unit('src/frontend/client-address.test.ts', 'src/frontend/frontend.test.ts')],
  },
  {
    name: "a stranger's word on the scheme is believed",
    file: 'src/frontend/forwarded.ts',
    find: '  if (!proxies.trusts(peer.address)) return atListener;\n',
    put: '',
    tests: [unit('src/frontend/forwarded.test.ts')],
  },
  {
    name: 'an address without a prefix covers every path',
    file: 'src/frontend/redirect-rule.ts',
    find: "return segment === '' ? path === '/' :",
    put: "return segment === '' ? path.startsWith('/') :",
    tests: [unit('src/frontend/redirect-rule.test.ts')],
  },
  {
    name: 'a body of any size is taken',
    file: 'src/frontend/proxy/request-body.ts',
    find: 'if (size > largestBody) end(',
    put: 'if (size > largestBody * 1_000) end(',
    tests: [unit('src/frontend/proxy/request-body.test.ts')],
  },
  {
    name: 'a token that was refused stays known',
    file: 'src/frontend/proxy/known-tokens.ts',
    find: 'else if (shown !== undefined && status === 401) this.#forget(shown);',
    put: 'else if (shown !== undefined && status === 0) this.#forget(shown);',
    tests: [unit('src/frontend/proxy/known-tokens.test.ts')],
  },
  {
    name: 'a script of a page gets the app for a file',
    file: 'src/frontend/document-request.ts',
    find: 'if (destination !== undefined) return documents.has(destination.toLowerCase());',
    put: "if (destination === 'document') return true;",
    tests: [unit('src/frontend/document-request.test.ts')],
  },
  {
    name: 'whoever is of the company may do what admins may',
    file: 'src/api/server/guard.ts',
    find: "return auth === 'admin' && !admin ? new",
    put: "return auth === 'admin' && !admin && !member ? new",
    tests: [unit('src/api/server/roles.test.ts')],
  },
  {
    name: 'the secret of the controller may be tried from outside',
    file: 'src/api/server/guard.ts',
    find: 'if (proxyHeaders.some((name) =>',
    put: 'if (proxyHeaders.every((name) =>',
    tests: [unit('src/api/server/roles.test.ts'), unit('src/api/server/hardening.test.ts')],
  },
  {
    name: 'a page of somebody else may act for who is signed in',
    file: 'src/api/server/cross-site.ts',
    find: 'if (from === null || !(own || from.host === host)) throw',
    put: "if (from === null || (own && from.host === '')) throw",
    tests: [unit('src/api/server/hardening.test.ts')],
  },
  {
    name: 'an act that scales is taken while everything is stopped',
    file: 'src/api/acts/refuse-while-stopped.ts',
    find: '  if (refusal === undefined) return;',
    put: '  if (refusal === undefined || causes.length > 0) return;',
    tests: [unit('src/api/acts')],
  },
  {
    name: 'an origin that begins like one of the list may read dashboards',
    file: 'src/api/server/cross-site.ts',
    find: 'config.dashboardApi.corsOrigins.includes(origin);',
    put: 'config.dashboardApi.corsOrigins.some((one) => origin.startsWith(one));',
    tests: [unit('src/api/server/hardening.test.ts')],
  },
];
