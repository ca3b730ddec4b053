import type { ParameterSize } from '../domain/cost/parameter-size.ts';
import { optionalObjectCodec } from './codec/codec.ts';
import { object, text, wholeNumber } from './codec/shape.ts';

/** How large the cost statistics were when the api last stored them; the controller alerts on it. */
export const parameterSize = optionalObjectCodec<ParameterSize>(
  'parameter_size',
  (json) => {
    const fields = object(json, '');
    return { parameter: text(fields, 'parameter', '', 1024), bytes: wholeNumber(fields, 'bytes', '', 1_000_000) };
  },
  ({ parameter, bytes }) => ({ parameter, bytes }),
);
