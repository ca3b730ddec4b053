import { auditEntry } from '../../domain/audit/entry.ts';
import { licenseMetrics, licenseTransition } from '../../domain/license/announce.ts';
import { keepBooks, type LicenseBookkeeping, noLicenseChecks } from '../../domain/license/bookkeeping.ts';
import { checkLicense, type LicenseCheck } from '../../domain/license/check.ts';
import { licenseCheck } from '../../state/license-check.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { setIfReadable } from '../../state/snapshot.ts';
import type { ControllerPorts } from '../ports.ts';

/** Judges the licence on every pass and remembers, across passes and restarts, what a check needs to know. */
export class LicenseGatekeeper {
  readonly #ports: ControllerPorts;
  #held: LicenseBookkeeping = noLicenseChecks;
  #last: LicenseCheck | undefined;
  /** The last verdict that the audit log has heard of. */
  #told: LicenseCheck | undefined;

  constructor(ports: ControllerPorts) {
    this.#ports = ports;
  }

  /** The verdict of the last check; null until the first one. */
  get verdict(): LicenseCheck | null {
    return this.#last ?? null;
  }

  /** True while the audit log has not taken what there is to tell. */
  get untold(): boolean {
    return this.#told !== this.#last;
  }

  async check(session: StateSession): Promise<LicenseCheck | null> {
    const { license, clock, config } = this.#ports;
    const source = license.source();
    if (source === null) return null;
    const at = clock.now();
    const stored = session.getOrEmpty(licenseCheck);
    const known = { ...stored, ...this.#held };
    const check = checkLicense(source, license.authority, known, at);
    const books = keepBooks(stored, this.#held, check, at);
    this.#held = books.bookkeeping;
    if (books.store && !config().operations.dryRun) {
      await session.writeIfRoom('ordinary', setIfReadable(licenseCheck, books.bookkeeping));
    }
    await this.#tell(check);
    this.#last = check;
    return check;
  }

  async #tell(check: LicenseCheck): Promise<void> {
    const { logger, metrics, notifier, clock } = this.#ports;
    this.#measure(check);
    const change = licenseTransition(this.#last, check);
    if (change !== undefined) logger[change.log.level](change.log.message, change.log.fields);
    const at = clock.now();
    await this.#audit(check);
    const notice = (key: 'licenseExpiring' | 'licenseUnverified' | 'licenseNotActing', title: string) => {
      return { id: `${key}-${at}`, key, at, title, colour: 'amber', text: check.reason } as const;
    };
    notifier.condition(notice('licenseExpiring', 'License Expires Soon'), check.expiresSoon);
    notifier.condition(notice('licenseUnverified', 'License Check Failing'), check.verdict === 'unverified');
    notifier.condition(notice('licenseNotActing', 'Not Scaling: License'), !check.acts);
    metrics.licenseActs.set(check.acts ? 1 : 0);
  }

  /** What the audit log does not take is told by the next pass: a stop waits for no line. */
  async #audit(check: LicenseCheck): Promise<void> {
    const { clock, audit, logger } = this.#ports;
    const change = licenseTransition(this.#told, check);
    const at = clock.now();
    try {
      if (change?.audit !== undefined && this.#told !== undefined) {
        await audit.append(auditEntry({ id: `${change.audit.kind}-${at}`, at, ...change.audit }));
      }
      this.#told = check;
    } catch (error) {
      logger.warn('An audit entry could not be written and will be tried again', { error: String(error) });
    }
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
