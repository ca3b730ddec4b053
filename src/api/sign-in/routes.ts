import type { Random } from '../../ports/random.ts';
import { Refusal } from '../refusal.ts';
import type { Call, Handlers } from '../server/call.ts';
import { signedIn } from '../server/call.ts';
import { instant } from '../status/wire.ts';
import { codeDigits } from './one-time-codes.ts';
import type { From, IssuedSession, SignIn, User } from './sign-in.ts';

export const refreshCookie = 'svc_refresh';
export const browserCookie = 'svc_browser';
/** Says that this browser has signed in with an address before: it is no stranger when it asks for the next code. */
const knownCookie = 'svc_known';
const knownSeconds = 180 * 24 * 3600;

export interface SignInRoutesOptions {
  readonly signIn: SignIn;
  readonly random: Random;
  /** Cookies only over https, unless the instance's own address is plain http. */
  readonly secure: () => boolean;
  readonly passkeyCount: (user: User) => Promise<{ enabled: boolean; registered: number }>;
}

type SignInHandlers = Pick<Handlers, 'requestOtp' | 'verifyOtp' | 'openMagicLink' | 'refreshSession' | 'logout' | 'me'>;

export function signInHandlers({ signIn, random, secure, passkeyCount }: SignInRoutesOptions): SignInHandlers {
  const setCookie = cookieWriter(secure);
  const keepProof = <A>(call: Pick<Call, 'setHeader' | 'cookies'>, { user }: IssuedSession, answer: A): A => {
    const browser = call.cookies.get(browserCookie);
    if (browser !== undefined) setCookie(call, knownCookie, signIn.proofOf(user.address, browser), knownSeconds);
    return answer;
  };
  return {
    requestOtp(call) {
      const browser = call.cookies.get(browserCookie) ?? Buffer.from(random.bytes(16)).toString('base64url');
      const { mail, expiresAt } = signIn.requestCode(call.body.email, { ...from(call), browser });
      setCookie(call, browserCookie, browser, knownSeconds);
      call.afterAnswer(mail);
      const message = 'If the address can receive mail, a code is on its way.';
      return { message, expiresAt: instant(expiresAt), digits: codeDigits };
    },
    verifyOtp(call) {
      const { email, otp, refresh } = call.body;
      const issued = signIn.verifyCode(email, otp, from(call));
      return keepProof(call, issued, answerSession(call, issued, refresh ?? 'cookie', setCookie));
    },
    openMagicLink(call) {
      const issued = signIn.openLink(call.body.token, from(call));
      return keepProof(call, issued, answerSession(call, issued, call.body.refresh ?? 'cookie', setCookie));
    },
    refreshSession(call) {
      const given = call.body?.refreshToken;
      const token = given ?? call.cookies.get(refreshCookie);
      if (token === undefined) throw new Refusal('unauthenticated');
      return answerSession(call, signIn.refresh(token), given === undefined ? 'cookie' : 'body', setCookie);
    },
    logout(call) {
      signIn.logout(
        call.body?.refreshToken ?? call.cookies.get(refreshCookie),
        bearerToken(call.header('authorization')),
      );
      setCookie(call, refreshCookie, '', 0);
      return { message: 'Signed out.' };
    },
    async me(call) {
      const user = signedIn(call);
      return { user: wireUser(user), expiresAt: instant(user.expiresAt), passkeys: await passkeyCount(user) };
    },
  };
}

function from(call: Pick<Call, 'clientKey' | 'cookies'>): From {
  const { clientKey: client, cookies } = call;
  return { client, browser: cookies.get(browserCookie) ?? '', proof: cookies.get(knownCookie) ?? '' };
}

type CookieWriter = (call: Pick<Call, 'setHeader'>, name: string, value: string, maxAgeSeconds: number) => void;

export function cookieWriter(secure: () => boolean): CookieWriter {
  return (call, name, value, maxAge) => {
    const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Strict'];
    call.setHeader('set-cookie', [...parts, ...(secure() ? ['Secure'] : [])].join('; '));
  };
}

export function answerSession(
  call: Pick<Call, 'setHeader'>,
  issued: IssuedSession,
  where: 'cookie' | 'body',
  setCookie: CookieWriter,
) {
  const { token, expiresAt, refreshToken, refreshExpiresAt, user } = issued;
  if (where === 'cookie') {
    setCookie(call, refreshCookie, refreshToken, Math.floor((refreshExpiresAt - issued.issuedAt) / 1000));
  }
  return {
    token,
    expiresAt: instant(expiresAt),
    ...(where === 'body' ? { refreshToken } : {}),
    refreshExpiresAt: instant(refreshExpiresAt),
    user: wireUser(user),
  };
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,4096})$/i.exec(authorization ?? '')?.[1];
}

function wireUser({ address, admin, shown }: User) {
  return { email: address.text, admin, shownAs: shown };
}
