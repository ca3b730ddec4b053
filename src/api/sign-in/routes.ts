import { codeDigits } from '../../contract/code-digits.ts';
import { tokenHeader, tokenHeaderText, tokenName } from '../../platform/token-name.ts';
import type { Random } from '../../ports/random.ts';
import type { Call, Handlers } from '../call/call.ts';
import { signedIn } from '../call/call.ts';
import { Refusal } from '../call/refusal.ts';
import type { User } from '../call/user.ts';
import { instant } from '../outlook/wire.ts';
import type { OwnPlace } from './own-place.ts';
import type { From, IssuedSession, SignIn } from './sign-in.ts';

export const refreshCookie = 'svc_refresh';
export const browserCookie = 'svc_browser';
/** Says that this browser has signed in with an address before: it is no stranger when it asks for the next code. */
const knownCookie = 'svc_known';
const knownSeconds = 180 * 24 * 3600;
/** The same whether one is mailed or not, so it has to be true of both. */
const onItsWay =
  'If the address can receive mail, a code is on its way. An address gets five, then one every five minutes: if none comes, type the newest that did.';

export interface SignInRoutesOptions {
  readonly signIn: SignIn;
  readonly random: Random;
  /** Where a call comes from: links lead there, and cookies are kept there. */
  readonly placeOf: PlaceOf;
  readonly passkeyCount: (user: User) => Promise<{ enabled: boolean; registered: number }>;
}

type SignInHandlers = Pick<Handlers, 'requestOtp' | 'verifyOtp' | 'openMagicLink' | 'refreshSession' | 'logout' | 'me'>;

export function signInHandlers({ signIn, random, placeOf, passkeyCount }: SignInRoutesOptions): SignInHandlers {
  const setCookie = cookieWriter(placeOf);
  const keeper: BrowserKeeper = { signIn, random, placeOf };
  const cookie = (call: Pick<Call, 'header' | 'cookies'>, name: string) =>
    call.cookies.get(`${name}${placeOf(call).cookieSuffix}`);
  const from = (call: Pick<Call, 'clientKey' | 'header' | 'cookies'>): From => ({
    client: call.clientKey,
    browser: cookie(call, browserCookie) ?? '',
    proof: cookie(call, knownCookie) ?? '',
  });
  return {
    requestOtp(call) {
      const browser = cookie(call, browserCookie) ?? newBrowser(random);
      const { mail, refusal, expiresAt } = signIn.requestCode(
        call.body.email,
        { ...from(call), browser },
        placeOf(call).address,
      );
      // Also with a refusal, since a mail may go out all the same: its link is good in the browser that asked.
      setCookie(call, browserCookie, browser, knownSeconds);
      call.afterAnswer(mail);
      if (refusal !== undefined) throw refusal;
      return { message: onItsWay, expiresAt: instant(expiresAt), digits: codeDigits };
    },
    verifyOtp(call) {
      const { email, otp, refresh } = call.body;
      const issued = signIn.verifyCode(email, otp, cookie(call, browserCookie) ?? '');
      return answerSignIn(call, issued, refresh ?? 'cookie', keeper);
    },
    openMagicLink(call) {
      const issued = signIn.openLink(call.body.token, cookie(call, browserCookie) ?? '');
      return answerSignIn(call, issued, call.body.refresh ?? 'cookie', keeper);
    },
    refreshSession(call) {
      const given = call.body?.refreshToken;
      const token = given ?? cookie(call, refreshCookie);
      if (token === undefined) throw new Refusal('unauthenticated');
      return answerSession(call, signIn.refresh(token), given === undefined ? 'cookie' : 'body', setCookie);
    },
    logout(call) {
      signIn.logout(call.body?.refreshToken ?? cookie(call, refreshCookie), bearerToken(call.header('authorization')));
      setCookie(call, refreshCookie, '', 0);
      return { message: 'Signed out.' };
    },
    async me(call) {
      const user = signedIn(call);
      return { user: wireUser(user), expiresAt: instant(user.expiresAt), passkeys: await passkeyCount(user) };
    },
  };
}

export type PlaceOf = (call: Pick<Call, 'header'>) => OwnPlace;

type CookieWriter = (
  call: Pick<Call, 'setHeader' | 'header'>,
  name: string,
  value: string,
  maxAgeSeconds: number,
) => void;

function cookieWriter(placeOf: PlaceOf): CookieWriter {
  return (call, name, value, maxAge) => {
    const { secure, cookieSuffix, cookiePath } = placeOf(call);
    const kept = [`${name}${cookieSuffix}=${value}`, `Path=${cookiePath}`, `Max-Age=${maxAge}`];
    call.setHeader('set-cookie', [...kept, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])].join('; '));
  };
}

export type BrowserKeeper = Pick<SignInRoutesOptions, 'signIn' | 'random' | 'placeOf'>;

/** A session that begins, however: a browser that keeps cookies is known for the address from now on. */
export function answerSignIn(
  call: Pick<Call, 'setHeader' | 'header' | 'cookies'>,
  issued: IssuedSession,
  where: 'cookie' | 'body',
  { signIn, random, placeOf }: BrowserKeeper,
) {
  const setCookie = cookieWriter(placeOf);
  const answer = answerSession(call, issued, where, setCookie);
  const kept = call.cookies.get(`${browserCookie}${placeOf(call).cookieSuffix}`);
  const browser = kept ?? (where === 'cookie' ? newBrowser(random) : undefined);
  if (browser !== undefined) {
    if (kept === undefined) setCookie(call, browserCookie, browser, knownSeconds);
    setCookie(call, knownCookie, signIn.proofOf(issued.user.address, browser), knownSeconds);
  }
  return answer;
}

function newBrowser(random: Random): string {
  return Buffer.from(random.bytes(16)).toString('base64url');
}

function answerSession(
  call: Pick<Call, 'setHeader' | 'header'>,
  issued: IssuedSession,
  where: 'cookie' | 'body',
  setCookie: CookieWriter,
) {
  const { token, expiresAt, refreshToken, refreshExpiresAt, user } = issued;
  // The frontend knows it before it is first used, whatever others claim meanwhile.
  call.setHeader(tokenHeader, tokenHeaderText({ token: tokenName(token), ...user.holder }));
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

function wireUser({ address, admin, member, shown }: User) {
  return { email: address.text, admin, member, shownAs: shown };
}
