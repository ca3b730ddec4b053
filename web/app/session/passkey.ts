import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError } from '../../../src/contract/contract.ts';

// The options come from the API in the form that WebAuthn gives them; the library turns them into what browsers take.

type Json = Record<string, unknown>;

export async function askAuthenticator(options: Json): Promise<Json> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return inWords(() =>
    // The contract passes it on as JSON; the library that reads it made it on the other side.
    startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }),
  );
}

export async function makePasskey(options: Json): Promise<Json> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return inWords(() =>
    // As above.
    startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  );
}

/** A prompt that was closed, or a device that has no passkey, is no fault of the service. */
async function inWords<T>(run: () => Promise<T>): Promise<Json> {
  try {
    // The library types its JSON by field; the contract passes it on as JSON.
    return (await run()) as unknown as Json;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const message =
      name === 'NotAllowedError'
        ? 'No passkey was used: the prompt was closed, or this device has none for this address.'
        : name === 'InvalidStateError'
          ? 'This device has a passkey for you already.'
          : `The browser refused: ${error instanceof Error ? error.message : String(error)}`;
    throw new ApiError(0, { code: 'passkey_refused', message }, null);
  }
}
