import type { Config } from '../../config/config.ts';
import { licenseTrouble } from '../../domain/announcement/conditions.ts';
import { licenseChanged, licenseLog } from '../../domain/announcement/license.ts';
import { keepBooks, type LicenseBookkeeping, noLicenseChecks } from '../../domain/license/bookkeeping.ts';
import { checkLicense, type LicenseCheck } from '../../domain/license/check.ts';
import { licenseMetrics } from '../../domain/license/metrics.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Notifier } from '../../ports/notifier.ts';
import type { LicensePort } from '../../service/license-source.ts';
import { manualHibernation } from '../../state/intents/manual-hibernation.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import { licenseCheck } from '../../state/license-check.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set, setIfReadable } from '../../state/snapshot.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import type { ControllerMetrics } from '../metrics/metrics.ts';

export interface GatekeeperPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ControllerMetrics;
  readonly notifier: Notifier;
  readonly license: LicensePort;
  config(): Config;
}

/** Judges the license on every pass and remembers, across passes and restarts, what a check needs to know. */
export class LicenseGatekeeper {
  readonly #ports: GatekeeperPorts;
  #held: LicenseBookkeeping = noLicenseChecks;
  #last: LicenseCheck | undefined;
  /** What the last check found that could tell whether there is a license. */
  #told: boolean | undefined;

  constructor(ports: GatekeeperPorts) {
    this.#ports = ports;
  }

  async check(announcing: Announcing): Promise<LicenseCheck | null> {
    const { license, clock } = this.#ports;
    const source = license.source();
    if (source === null) return null;
    const read = announcing.session.read(licenseCheck);
    const stored = read.ok ? read.value : noLicenseChecks;
    const check = checkLicense(source, license.authority, this.#books(stored), clock.now());
    this.#publish(check);
    // Also where it cannot be written down.
    if (check.verdict === 'licensed' || check.verdict === 'unlicensed') this.#told = check.acts;
    await this.#keep(announcing, stored, check);
    this.#last = check;
    return check;
  }

  /**
   * What this process has found itself counts where nothing is stored, or it cannot be decoded. A dry run stores nothing, and acts on nothing:
   * it says what whoever else is asked finds in the same books.
   */
  #books(stored: LicenseBookkeeping): LicenseBookkeeping {
    if (this.#ports.config().operations.dryRun) return stored;
    // What is stored may be of another process, and newer.
    const acts = stored.acts ?? this.#told;
    return { ...stored, ...this.#held, ...(acts === undefined ? {} : { acts }) };
  }

  /**
   * The result (may act or not) is stored in one write with its announcement, so that a change is announced exactly once,
   * even if the controller restarts in between.
   */
  async #keep(announcing: Announcing, stored: LicenseBookkeeping, check: LicenseCheck): Promise<void> {
    const { clock, config } = this.#ports;
    const at = clock.now();
    const { bookkeeping, store } = keepBooks(stored, this.#held, check, at);
    this.#held = bookkeeping;
    // Books that cannot be decoded are not written over, so what this life has told has to do.
    const told = announcing.session.read(licenseCheck).ok ? stored.acts : this.#last?.acts;
    const changed = told !== check.acts && !(told === undefined && check.acts);
    if (config().operations.dryRun || (!store && told === check.acts)) return;
    const announcements = changed ? [licenseChanged(check, at)] : [];
    const edits = [
      setIfReadable(licenseCheck, { ...bookkeeping, acts: check.acts }),
      ...(told === false && check.acts ? askedForBefore(announcing.session, stored.latestSeenAt ?? at) : []),
    ];
    try {
      await announce(announcing, announcements, edits);
    } catch (error) {
      // A stop waits for no line: it is told once there is room.
      if (!(error instanceof StateFull)) throw error;
    }
  }

  /** What is seen of a check whether anything changed or not. */
  #publish(check: LicenseCheck): void {
    const { logger, metrics, notifier, clock } = this.#ports;
    this.#measure(check);
    const line = licenseLog(this.#last, check);
    if (line !== undefined) logger[line.level](line.message, line.fields);
    const at = clock.now();
    notifier.condition(licenseTrouble('licenseExpiring', check, at), check.expiresSoon);
    notifier.condition(licenseTrouble('licenseUnverified', check, at), check.verdict === 'unverified');
    notifier.condition(licenseTrouble('licenseNotActing', check, at), !check.acts);
    metrics.licenseActs.set(check.acts ? 1 : 0);
  }

  #measure(check: LicenseCheck): void {
    const { metrics } = this.#ports;
    const { verdict, expiresAtSeconds, lastLicensedSeconds, stopAtSeconds } = licenseMetrics(check);
    for (const [name, value] of Object.entries(verdict)) metrics.licenseVerdict.set({ verdict: name }, value);
    metrics.licenseExpiry.set(expiresAtSeconds ?? 0);
    metrics.licenseLastChecked.set(lastLicensedSeconds ?? 0);
    metrics.licenseStop.set(stopAtSeconds ?? 0);
  }
}

/**
 * When a stop ends, the schedule alone decides: what people asked for before it does not come back. Nobody can ask for
 * anything while it holds, so whatever is not younger than the last check that held it is from before.
 */
function askedForBefore(session: StateSession, stoppedAt: EpochMs): readonly StateEdit[] {
  const isOld = (act: { readonly at: EpochMs } | null) => act !== null && act.at <= stoppedAt;
  return [
    ...(isOld(session.getOrEmpty(wakeOverride)) ? [set(wakeOverride, null)] : []),
    ...(isOld(session.getOrEmpty(manualHibernation)) ? [set(manualHibernation, null)] : []),
  ];
}
