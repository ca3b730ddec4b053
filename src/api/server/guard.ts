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

/** Who it is, and why they are not let in if they are not: somebody who may not do a thing is still who he says. */
export interface Admission {
  readonly caller: Caller;
  readonly refusal?: Refusal;
}

/** Lets a caller in, or refuses: 401 without a sign-in, 403 for who may not. */
export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  admit(auth: Exclude<Auth, 'signature'>, headers: IncomingHttpHeaders): Admission {
    if (auth === 'none') return { caller: {} };
    if (auth === 'internal') return this.#internal(headers);
    const user = this.#user(headers);
    if (user instanceof Refusal) return { caller: {}, refusal: user };
    const refusal = refusalFor(auth, user);
    return { caller: { user }, ...(refusal === undefined ? {} : { refusal }) };
  }

  async admitCluster(request: SignedRequest): Promise<Caller> {
    const { externalWake } = this.#options;
    const verified = isOff(externalWake) ? { ok: false as const } : await externalWake.verify(request);
    if (!verified.ok) throw new Refusal('signature_invalid');
    return { cluster: verified.cluster };
  }

  #user(headers: IncomingHttpHeaders): User | Refusal {
    const token = bearerToken(headers.authorization);
    try {
      const user = token === undefined ? undefined : this.#options.signIn.userOf(token);
      return user ?? new Refusal('unauthenticated');
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  /** The secret never comes through the frontend, so nobody outside can try it. */
  #internal(headers: IncomingHttpHeaders): Admission {
    if (proxyHeaders.some((name) => headers[name] !== undefined)) {
      return { caller: {}, refusal: new Refusal('forbidden', 'This is for the service itself.') };
    }
    const { keys, internalSecret } = this.#options;
    const given = /^Bearer (.{1,4096})$/.exec(headers.authorization ?? '')?.[1];
    // Hashes have one length, so the comparison tells nothing of the secret's.
    const same = sameBytes(keys.mac('access', 'internal', given ?? ''), keys.mac('access', 'internal', internalSecret));
    if (given === undefined || internalSecret === '' || !same) {
      return { caller: {}, refusal: new Refusal('unauthenticated') };
    }
    return { caller: {} };
  }
}

function refusalFor(auth: 'signed-in' | 'member' | 'admin', { admin, member }: User): Refusal | undefined {
  if (auth === 'member' && !member) return new Refusal('forbidden', forMembers);
  return auth === 'admin' && !admin ? new Refusal('forbidden') : undefined;
}
