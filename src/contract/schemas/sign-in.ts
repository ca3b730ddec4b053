import * as Type from 'typebox';
import { closed, instant, open, optional, text, words } from './basics.ts';

const email = text(320, 'An e-mail address.');
/** A browser keeps the refresh token in a cookie that scripts cannot read; a program asks for it in the body. */
const refresh = optional(words('cookie', 'body'));

export const requestOtpBody = closed({ email });
export const requestOtpAnswer = open({
  message: Type.String(),
  expiresAt: instant,
  /** Digits of the code, so that the form knows when it is complete. */
  digits: Type.Integer(),
});

export const verifyOtpBody = closed({ email, otp: text(16, 'The code from the mail.'), refresh });
export const magicLinkBody = closed({ token: text(128, 'From the fragment of the link.'), refresh });
export const refreshBody = closed({ refreshToken: optional(text(4096)) });
export const logoutBody = closed({ refreshToken: optional(text(4096)) });

const user = open({
  email: Type.String(),
  admin: Type.Boolean(),
  member: Type.Boolean({
    description: 'Of the company: an admin, or of a domain in `config.auth.allowedEmailDomains`.',
  }),
  /** As the privacy settings show the address. */
  shownAs: Type.String(),
});

export const session = open({
  token: Type.String({ description: 'Access token, to be sent as `Authorization: Bearer <token>`.' }),
  expiresAt: instant,
  refreshToken: optional(Type.String({ description: 'Only when asked for in the body.' })),
  refreshExpiresAt: instant,
  user,
});

export const loggedOut = open({ message: Type.String() });

export const me = open({
  user,
  expiresAt: instant,
  passkeys: open({ enabled: Type.Boolean(), registered: Type.Integer() }),
});

const passkey = open({
  id: Type.String(),
  name: Type.String(),
  createdAt: instant,
  lastUsedAt: optional(instant),
});
export const passkeys = open({ enabled: Type.Boolean(), items: Type.Array(passkey) });
/** What the browser's WebAuthn call takes and gives; its shape is the WebAuthn specification's. */
export const webauthnOptions = open({
  challengeId: Type.String(),
  options: Type.Record(Type.String(), Type.Unknown()),
});
const webauthnResponse = Type.Record(Type.String(), Type.Unknown());
export const registerPasskeyBody = closed({
  challengeId: text(128),
  name: optional(text(64)),
  response: webauthnResponse,
});
export const passkeySignInOptionsBody = closed({ email: optional(email) });
export const passkeySignInBody = closed({ challengeId: text(128), response: webauthnResponse, refresh });
export const passkeyParams = closed({ id: text(1024) });
export const passkeyAdded = open({ passkey });
