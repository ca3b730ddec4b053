// The parts of undici that a proxy needs, by their files: the package's own entry brings fetch, web sockets and caches along,
// which cost 5 MiB in a process that has 128.

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici';
  export default errors;
}
