import type { IncomingHttpHeaders } from 'node:http';
import type { Auth } from '../../contract/endpoints.ts';
import { isOff, type Off } from '../../ports/off.ts';
import type { ExternalWakeVerifier, SignedRequest } from '../call/ports.ts';
import { Refusal } from '../call/refusal.ts';
import type { User } from '../call/user.ts';
import { type Keys, sameBytes } from '../sign-in/keys.ts';
import { bearerToken } from '../sign-in/routes.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

export interface Caller {
  readonly user?: User;
  readonly cluster?: string;
}

export interface GuardOptions {
  readonly signIn: SignIn;
  readonly keys: Keys;
  readonly internalSecret: string;
  readonly externalWake: ExternalWakeVerifier | Off;
}

const forMembers =
  'Only people of the company may see this: admins, and addresses of a domain in config.auth.allowedEmailDomains.';

/** A header that only a proxy adds: whoever comes that way came from outside. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'] as const;

/** Lets a caller in, or refuses: 401 without a sign-in, 403 for who may not. */
export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  admit(auth: Exclude<Auth, 'signature'>, headers: IncomingHttpHeaders): Caller {
    switch (auth) {
      case 'none':
        return {};
      case 'internal':
        return this.#internal(headers);
      case 'signed-in':
        return { user: this.#user(headers) };
      case 'member': {
        const user = this.#user(headers);
        if (!user.member) throw new Refusal('forbidden', forMembers);
        return { user };
      }
      case 'admin': {
        const user = this.#user(headers);
        if (!user.admin) throw new Refusal('forbidden');
        return { user };
      }
    }
  }

  async admitCluster(request: SignedRequest): Promise<Caller> {
    const { externalWake } = this.#options;
    const verified = isOff(externalWake) ? { ok: false as const } : await externalWake.verify(request);
    if (!verified.ok) throw new Refusal('signature_invalid');
    return { cluster: verified.cluster };
  }

  #user(headers: IncomingHttpHeaders): User {
    const token = bearerToken(headers.authorization);
    const user = token === undefined ? undefined : this.#options.signIn.userOf(token);
    if (user === undefined) throw new Refusal('unauthenticated');
    return user;
  }

  /** The secret never comes through the frontend, so nobody outside can try it. */
  #internal(headers: IncomingHttpHeaders): Caller {
    if (proxyHeaders.some((name) => headers[name] !== undefined)) {
      throw new Refusal('forbidden', 'This is for the service itself.');
    }
    const { keys, internalSecret } = this.#options;
    const given = /^Bearer (.{1,4096})$/.exec(headers.authorization ?? '')?.[1];
    // Hashes have one length, so the comparison tells nothing of the secret's.
    const same = sameBytes(keys.mac('access', 'internal', given ?? ''), keys.mac('access', 'internal', internalSecret));
    if (given === undefined || internalSecret === '' || !same) throw new Refusal('unauthenticated');
    return {};
  }
}
