import type { ApiWorld } from './api-world.ts';

/** A browser: keeps the cookies that it is given. */
export class CookieJar {
  readonly #world: ApiWorld;
  readonly #cookies = new Map<string, string>();

  constructor(world: ApiWorld) {
    this.#world = world;
  }

  async ask(email: string) {
    return this.#keep(await this.#world.call('requestOtp', { body: { email }, headers: this.#header() }));
  }

  async verify(email: string, otp: string) {
    return this.#keep(await this.#world.call('verifyOtp', { body: { email, otp }, headers: this.#header() }));
  }

  async signIn(email: string) {
    await this.ask(email);
    return this.verify(email, this.#world.lastCode(email));
  }

  #header() {
    return { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  #keep<A extends { readonly headers: Readonly<Record<string, unknown>> }>(answer: A): A {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(line)) ?? [];
      if (name !== undefined) this.#cookies.set(name, value ?? '');
    }
    return answer;
  }
}
