import type { Config } from '../../config/config.ts';
import type { AnswerOf } from '../../contract/operations.ts';
import type { Architecture } from '../../domain/workload.ts';
import type { AdmissionFacts } from '../../ports/admission-facts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ClusterView } from '../../ports/cluster.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Off } from '../../ports/off.ts';
import type { Random } from '../../ports/random.ts';
import type { ServiceReader } from '../../ports/services.ts';
import type { WorkloadFacts } from '../../ports/workload-facts.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import type { LicensePort } from '../../service/license-source.ts';
import type { KeptStore, StateStore } from '../../state/state-store.ts';
import type { MailQueue } from '../mail/mail-queue.ts';

/** Everything the API needs of the outside, none of which may be left out. `main.ts` and the command line put one together. */
export interface ApiPorts {
  readonly clock: Clock;
  /** The pace of watches, and of what makes up for what they may have missed. */
  readonly watchClock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly view: ClusterView;
  readonly state: StateStore;
  readonly audit: AuditTexts;
  /** ConfigMap `svc-passkeys`: one key a user. */
  readonly passkeys: KeptStore;
  readonly mails: MailQueue;
  readonly admission: AdmissionFacts;
  readonly facts: WorkloadFacts;
  readonly services: ServiceReader;
  readonly outbound: Outbound;
  readonly features: Features;
  /** The release namespace: never scaled. */
  readonly ownNamespace: string;
  readonly version: string;
  /** Of the nodes of workloads that do not say which they need. */
  readonly usualArchitecture: Architecture;
  /** The configuration in force: the last good one. */
  config(): Config;
  compiled(): CompiledConfig;
  /** Why the newest one was refused. */
  configRefusal(): string | undefined;
  readonly license: LicensePort;
  /** Hears that a configuration came into force or was refused, or that the license changed. */
  onInputs(listener: () => void): () => void;
  /** The chart's `branding` values, unchecked; the same object until they change. */
  branding(): unknown;
  readonly secrets: ApiSecrets;
}

export interface ApiSecrets {
  readonly jwt: string;
  readonly internalApi: string;
}

/** The audit log as it is stored. Rejects when it cannot be read. */
interface AuditTexts {
  /** Oldest first. */
  texts(): Promise<readonly string[]>;
}

/** The network outside, as far as a readiness check may see it. */
export interface Outbound {
  /** Every address of a name; rejects when there is none. */
  resolve(host: string): Promise<readonly string[]>;
  /** One GET to exactly this address. Rejects when there is no answer in time. */
  get(request: OutboundRequest): Promise<OutboundAnswer>;
}

export interface OutboundRequest {
  readonly url: URL;
  /** The address to connect to; absent when a proxy resolves the name. */
  readonly address?: string;
  readonly proxy?: URL;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly location?: string;
}

/** What only some installations have: each is there, or says why it is not. */
export interface Features {
  readonly insights: (() => Promise<AnswerOf<'insights'>>) | Off;
  readonly costs: (() => Promise<AnswerOf<'costs'>>) | Off;
  /** Answers undefined when the channel is switched off. */
  readonly testNotification: TestNotification | Off;
  readonly externalWake: ExternalWakeVerifier | Off;
}

type TestNotification = (channel: 'email' | 'teams') => Promise<AnswerOf<'testNotification'> | undefined>;

export interface SignedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Uint8Array;
}

/** Tells which of the configured clusters signed a request. */
export interface ExternalWakeVerifier {
  verify(request: SignedRequest): Promise<{ readonly ok: true; readonly cluster: string } | { readonly ok: false }>;
}
