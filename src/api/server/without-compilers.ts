import type { FastifyServerOptions } from 'fastify';

/** The contract checks requests itself, and fastify's compilers of schemas would cost tens of megabytes. */
export const withoutCompilers = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as object as NonNullable<FastifyServerOptions['schemaController']>; // Its types ask for the functions of the compilers.
