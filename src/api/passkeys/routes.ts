import { passkeyChanged } from '../../domain/announcement/request.ts';
import { storing } from '../../state/storing.ts';
import { type Handlers, signedIn } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { Refusal } from '../call/refusal.ts';
import { passkeyAddedMail } from '../sign-in/code-mail.ts';
import { answerSignIn, type PlaceOf } from '../sign-in/routes.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Intents } from '../state/intents.ts';
import { off } from '../status/routes.ts';
import type { Passkeys } from './passkeys.ts';
import type { StoredPasskey } from './records.ts';

type PasskeyHandlers = Pick<
  Handlers,
  | 'passkeys'
  | 'passkeyRegistrationOptions'
  | 'registerPasskey'
  | 'deletePasskey'
  | 'passkeySignInOptions'
  | 'signInWithPasskey'
>;

export interface PasskeyRoutesOptions {
  readonly ports: ApiPorts;
  readonly passkeys: Passkeys;
  readonly signIn: SignIn;
  readonly intents: Intents;
  readonly placeOf: PlaceOf;
}

export function passkeyHandlers({ ports, passkeys, signIn, intents, placeOf }: PasskeyRoutesOptions): PasskeyHandlers {
  const needEnabled = () => {
    if (!passkeys.enabled) throw off('config.auth.webauthn.enabled');
  };
  /** Best effort: the passkey is there either way, and the log says so too. */
  const audit = async (kind: 'passkey-added' | 'passkey-removed', actor: string, name: string) => {
    const at = ports.clock.now();
    ports.logger.info(kind === 'passkey-added' ? 'Passkey added' : 'Passkey removed', { actor, name });
    const id = `${kind}-${Buffer.from(ports.random.bytes(9)).toString('base64url')}`;
    try {
      await intents.write((snapshot) => ({
        edits: storing(snapshot, [passkeyChanged({ id, at, by: actor }, kind, name)]),
        answer: undefined,
      }));
    } catch (error) {
      ports.logger.warn('An audit entry could not be written', { kind, error: String(error) });
    }
  };
  return {
    async passkeys(call) {
      const records = passkeys.enabled ? await passkeys.of(signedIn(call).address.text) : [];
      return { enabled: passkeys.enabled, items: records.map(wirePasskey) };
    },
    async passkeyRegistrationOptions(call) {
      needEnabled();
      const { challengeId, options } = await passkeys.registrationOptions(
        signedIn(call).address.text,
        placeOf(call).address,
      );
      return { challengeId, options: { ...options } };
    },
    async registerPasskey(call) {
      needEnabled();
      const { address, shown } = signedIn(call);
      const { challengeId, response, name = 'Passkey' } = call.body;
      const record = await passkeys.register(
        address.text,
        challengeId,
        response,
        plainName(name),
        placeOf(call).address,
      );
      call.afterAnswer(async () => {
        await signIn.send(passkeyAddedMail(address.text, ports.config().clusterName, record.name));
        await audit('passkey-added', shown, record.name);
      });
      return { passkey: wirePasskey(record) };
    },
    async deletePasskey(call) {
      const { address, shown } = signedIn(call);
      if (!(await passkeys.remove(address.text, call.params.id)))
        throw new Refusal('not_found', 'You have no such passkey.');
      call.afterAnswer(() => audit('passkey-removed', shown, call.params.id));
      return { message: 'The passkey was removed.' };
    },
    async passkeySignInOptions(call) {
      needEnabled();
      signIn.needMail();
      const { challengeId, options } = await passkeys.signInOptions(placeOf(call).address);
      return { challengeId, options: { ...options } };
    },
    async signInWithPasskey(call) {
      needEnabled();
      signIn.needMail();
      const { challengeId, response } = call.body;
      const isMember = (address: string) => signIn.isMember(address);
      const address = await passkeys.signIn(challengeId, response, placeOf(call).address, isMember);
      const issued = signIn.startSession(signIn.parse(address));
      return answerSignIn(call, issued, call.body.refresh ?? 'cookie', { signIn, random: ports.random, placeOf });
    },
  };
}

function plainName(name: string): string {
  return (
    name
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, 64) || 'Passkey'
  );
}

function wirePasskey({ id, name, createdAt, lastUsedAt }: StoredPasskey) {
  return { id, name, createdAt, ...(lastUsedAt === undefined ? {} : { lastUsedAt }) };
}
