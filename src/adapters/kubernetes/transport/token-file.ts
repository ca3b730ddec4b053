import { readFile } from 'node:fs/promises';
import type { Clock } from '../../../ports/clock.ts';
import { AccessError, type Credential, type Proof } from './credential.ts';

const rereadAfterMs = 60_000;

/** A token that someone else rotates: read again each minute that it is used, and at once after a 401. */
export class TokenFile implements Credential {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #certificate: Proof['certificate'];
  #proof: Proof | undefined;
  #readAt = 0;

  constructor(path: string, clock: Clock, certificate?: Proof['certificate']) {
    this.#path = path;
    this.#clock = clock;
    this.#certificate = certificate;
  }

  async current(): Promise<Proof> {
    if (this.#proof !== undefined && this.#clock.monotonic() - this.#readAt < rereadAfterMs) return this.#proof;
    return this.renew();
  }

  async renew(): Promise<Proof> {
    try {
      const token = (await readFile(this.#path, 'utf8')).trim();
      if (token === '') throw new AccessError(`The token file ${this.#path} is empty; it must hold a bearer token.`);
      this.#proof = this.#certificate === undefined ? { token } : { token, certificate: this.#certificate };
    } catch (error) {
      // In the moment of its rotation the file can be gone; the token before it is still good for minutes.
      if (this.#proof === undefined) throw readable(error, this.#path);
    }
    this.#readAt = this.#clock.monotonic();
    return this.#proof as Proof;
  }
}

function readable(error: unknown, path: string): AccessError {
  if (error instanceof AccessError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new AccessError(`The token file ${path} cannot be read: ${reason}`, { cause: error });
}
