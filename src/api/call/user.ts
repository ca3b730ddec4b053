import type { Address } from '../../domain/address/address.ts';
import type { TokenHolder } from '../../platform/token-name.ts';

/** Who has signed in, as far as routes need to know. */
export interface User {
  readonly address: Address;
  readonly admin: boolean;
  /** Of the company: an admin, or of a domain that is listed by name. */
  readonly member: boolean;
  /** As logs, stored data and cards carry the address. */
  readonly shown: string;
  /** What the frontend is told of them. */
  readonly holder: TokenHolder;
  readonly session: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}
