import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { KeptStore, StoredState } from '../../state/state-store.ts';
import { Refusal } from '../call/refusal.ts';
import { instant } from '../outlook/wire.ts';
import type { Keys } from '../sign-in/keys.ts';
import { Challenges } from './challenges.ts';
import { PasskeyWrites } from './passkey-writes.ts';
import { ownerKey, PasskeyRecords, type StoredPasskey } from './records.ts';
import { UsesBeingStored } from './uses-being-stored.ts';
import { webauthnLibrary } from './webauthn-library.ts';

const mostPerUser = 20;

export interface PasskeyPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly passkeys: KeptStore;
  config(): Config;
  /** Hears how large the store is. */
  onSize(bytes: number): void;
}

type Json = Readonly<Record<string, unknown>>;

interface ProvedPasskey {
  readonly address: string;
  /** Where the passkeys of this person are kept. */
  readonly key: string;
  readonly used: Pick<StoredPasskey, 'id' | 'counter'>;
}

/** Passkeys and security keys beside the mailed code. The library is loaded when one is first used. */
export class Passkeys {
  readonly #ports: PasskeyPorts;
  readonly #records: PasskeyRecords;
  readonly #challenges: Challenges;
  readonly #writes: PasskeyWrites;
  readonly #uses = new UsesBeingStored();

  constructor(ports: PasskeyPorts, keys: Keys) {
    this.#ports = ports;
    this.#records = new PasskeyRecords(keys, ports.random);
    this.#challenges = new Challenges(ports.clock, ports.random);
    this.#writes = new PasskeyWrites({
      store: ports.passkeys,
      records: this.#records,
      read: () => this.#read(),
    });
  }

  get enabled(): boolean {
    return this.#ports.config().auth.webauthn.enabled;
  }

  async of(address: string): Promise<readonly StoredPasskey[]> {
    const key = ownerKey(address);
    return this.#records.decode(key, (await this.#read()).data[key]);
  }

  async registrationOptions(address: string, at: string): Promise<{ challengeId: string; options: Json }> {
    const { generateRegistrationOptions } = await webauthnLibrary();
    const { rpID, rpName } = relyingParty(this.#ports.config(), at);
    const known = await this.of(address);
    const options = await generateRegistrationOptions({
      rpName,
      rpID,
      userName: address,
      userID: new Uint8Array(Buffer.from(ownerKey(address), 'hex')),
      challenge: new Uint8Array(this.#ports.random.bytes(32)),
      attestationType: 'none',
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    });
    const challengeId = this.#challenges.issue({ challenge: options.challenge, purpose: 'register', address });
    // The library types its JSON by field; the contract passes it on as JSON.
    return { challengeId, options: options as unknown as Json };
  }

  // biome-ignore lint/complexity/useMaxParams: whose it is, what was asked and answered, its name, and where.
  async register(
    address: string,
    challengeId: string,
    response: Json,
    name: string,
    at: string,
  ): Promise<StoredPasskey> {
    const challenge = this.#challenges.find(challengeId, { purpose: 'register', address });
    if (challenge === undefined) throw new Refusal('passkey_refused');
    const { verifyRegistrationResponse } = await webauthnLibrary();
    const { rpID, origins } = relyingParty(this.#ports.config(), at);
    if (isCrossOrigin(response)) throw new Refusal('passkey_refused');
    const verified = await verifyRegistrationResponse({
      // The library checks every field of it itself.
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge.challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpID,
      requireUserVerification: true,
    }).catch(() => undefined);
    if (verified?.verified !== true || !this.#challenges.use(challengeId)) throw new Refusal('passkey_refused');
    const { credential } = verified.registrationInfo;
    const record: StoredPasskey = {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
      createdAt: instant(this.#ports.clock.now()),
      owner: this.#records.seal(address),
    };
    await this.#writes.change(ownerKey(address), (records, isAnothers) => {
      // Whom it then signed in would be a matter of order (WebAuthn level 3, 7.1 step 26).
      if (isAnothers(record.id)) throw new Refusal('passkey_refused');
      if (records.length >= mostPerUser)
        throw new Refusal('state_full', `At most ${mostPerUser} passkeys can be kept.`);
      return [...records.filter(({ id }) => id !== record.id), record];
    });
    return record;
  }

  async signInOptions(at: string): Promise<{ challengeId: string; options: Json }> {
    const { generateAuthenticationOptions } = await webauthnLibrary();
    const options = await generateAuthenticationOptions({
      rpID: relyingParty(this.#ports.config(), at).rpID,
      challenge: new Uint8Array(this.#ports.random.bytes(32)),
      userVerification: 'required',
      // The passkey names its owner: a list here would tell strangers which addresses have one.
      allowCredentials: [],
    });
    const challengeId = this.#challenges.issue({ challenge: options.challenge, purpose: 'sign-in' });
    // As above: passed on as JSON.
    return { challengeId, options: options as unknown as Json };
  }

  /** The address that a passkey proves. Nobody is signed in yet, so what went wrong inside goes to the log alone. */
  async signIn(
    challengeId: string,
    response: Json,
    at: string,
    isMember: (address: string) => boolean,
  ): Promise<string> {
    try {
      const { address, key, used } = await this.#prove(challengeId, response, at);
      await this.#uses.during(key, isMember(address), () => this.#store(key, used));
      return address;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'passkey_refused') throw error;
      this.#ports.logger.warn('A passkey could not be checked', { error: error.message });
      const { retryAfterSeconds } = error;
      const again = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      throw new Refusal(error.code, `${error.message.split(': ')[0]?.replace(/\.$/, '')}.`, again);
    }
  }

  async #prove(challengeId: string, response: Json, at: string): Promise<ProvedPasskey> {
    const challenge = this.#challenges.find(challengeId, { purpose: 'sign-in' });
    if (challenge === undefined) throw new Refusal('passkey_refused');
    const found = this.#byId(response['id']);
    if (found === undefined) throw new Refusal('passkey_refused');
    const { verifyAuthenticationResponse } = await webauthnLibrary();
    const { rpID, origins } = relyingParty(this.#ports.config(), at);
    const { record, key, address } = found;
    if (isOfAnother(response, key) || isCrossOrigin(response)) throw new Refusal('passkey_refused');
    const verified = await verifyAuthenticationResponse({
      // The library checks every field of it itself.
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge.challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: record.id,
        publicKey: new Uint8Array(Buffer.from(record.publicKey, 'base64url')),
        counter: record.counter,
        // As the authenticator named them; a word that the library does not know is passed over.
        transports: [...record.transports] as AuthenticatorTransport[],
      },
    }).catch(() => undefined);
    if (verified?.verified !== true || !this.#challenges.use(challengeId)) throw new Refusal('passkey_refused');
    return { address, key, used: { id: record.id, counter: verified.authenticationInfo.newCounter } };
  }

  async #store(key: string, { id, counter }: ProvedPasskey['used']): Promise<void> {
    const lastUsedAt = instant(this.#ports.clock.now());
    let found = false;
    await this.#writes.change(key, (records) => {
      found = records.some((one) => one.id === id);
      // Two uses of it may be stored in either order.
      return records.map((one) =>
        one.id === id ? { ...one, counter: Math.max(one.counter, counter), lastUsedAt } : one,
      );
    });
    // It was removed while it was checked.
    if (!found) throw new Refusal('passkey_refused');
  }

  /** False when the user has no such passkey. */
  async remove(address: string, id: string): Promise<boolean> {
    let removed = false;
    await this.#writes.change(ownerKey(address), (records) => {
      // Told again after an answer that was lost, it is gone already, and it was us.
      removed ||= records.some((one) => one.id === id);
      return records.filter((one) => one.id !== id);
    });
    return removed;
  }

  /** In memory: a stranger's guesses cost no read. A good one is stored, and whether it is still there is looked up then. */
  #byId(id: unknown): { record: StoredPasskey; key: string; address: string } | undefined {
    if (typeof id !== 'string') return undefined;
    for (const [key, text] of Object.entries(this.#kept().data)) {
      if (!text.includes(JSON.stringify(id))) continue;
      const record = this.#records.decode(key, text).find((one) => one.id === id);
      const address = record === undefined ? undefined : this.#records.unseal(record.owner);
      if (record !== undefined && address !== undefined) return { record, key, address };
    }
    return undefined;
  }

  /** Lets the size be known before anybody uses a passkey; a store that cannot be read now is measured when it is used. */
  async measure(): Promise<void> {
    if (this.enabled) await this.#read().catch(() => {});
  }

  #kept(): StoredState {
    try {
      return this.#ports.passkeys.kept();
    } catch (error) {
      throw unreadable(error);
    }
  }

  async #read(): Promise<StoredState> {
    const read = await this.#ports.passkeys.read().catch((error: unknown) => {
      throw unreadable(error);
    });
    this.#ports.onSize(Object.values(read.data).reduce((sum, text) => sum + Buffer.byteLength(text), 0));
    return read;
  }
}

function unreadable(error: unknown): Refusal {
  const why = error instanceof Error ? error.message : String(error);
  return new Refusal('managed_state_unavailable', `The passkeys could not be read: ${why}`, { retryAfterSeconds: 5 });
}

/** A passkey that names its user names the one to whom its record belongs. */
function isOfAnother(response: Json, key: string): boolean {
  const { userHandle } = (response['response'] ?? {}) as Json;
  if (userHandle === undefined || userHandle === null || userHandle === '') return false;
  return Buffer.from(String(userHandle), 'base64url').toString('hex') !== key;
}

/** Asked for in a frame of another site's page: our own pages allow themselves to be framed by nobody. */
function isCrossOrigin(response: Json): boolean {
  try {
    const { clientDataJSON } = (response['response'] ?? {}) as Json;
    const client = JSON.parse(Buffer.from(String(clientDataJSON), 'base64url').toString()) as Json;
    return client['crossOrigin'] === true || client['topOrigin'] !== undefined;
  } catch {
    // What cannot be read is refused by who verifies it.
    return false;
  }
}

/**
 * The relying party: the host of the internal address if there is one, else of the external; and its exact origins. At an own
 * address that is not below it, where no browser would let a page use it, the host of that address is another one.
 */
export function relyingParty(
  config: Config,
  at: string = config.internalUrl || config.externalUrl,
): { rpID: string; rpName: string; origins: readonly string[] } {
  const { rpId, displayName } = config.auth.webauthn;
  const own = new URL(config.internalUrl || config.externalUrl);
  const here = new URL(at).hostname;
  const usual = rpId || own.hostname;
  const rpID = rpId !== '' || here.endsWith(`.${usual}`) ? usual : here;
  const under = ({ hostname }: URL) => hostname === rpID || hostname.endsWith(`.${rpID}`);
  const addresses = [own, new URL(config.externalUrl)].filter(under);
  return {
    rpID,
    rpName: displayName || config.clusterName,
    origins: [...new Set(addresses.map(({ origin }) => origin))],
  };
}
