import * as Type from 'typebox';

// Small shapes that every other schema is made of. Objects of answers may gain fields; objects of requests are closed.

export const open = <P extends Type.TProperties>(properties: P, description?: string) =>
  Type.Object(properties, description === undefined ? {} : { description });

export const closed = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const optional = Type.Optional;

export const words = <const W extends readonly [string, ...string[]]>(...values: W) =>
  Type.Unsafe<W[number]>(Type.Enum([...values]));

export const instant = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' });

export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) });

export const count = Type.Integer({ minimum: 0 });

export const date = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: '`YYYY-MM-DD`.' });

export const workloadKind = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,62}$', description: 'A kind of workload.' });

export const errorBody = open(
  {
    code: Type.String(),
    message: Type.String(),
    details: optional(Type.Record(Type.String(), Type.Unknown())),
  },
  'Every error has this body.',
);
