import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Every series of the controller; `docs/reference/metrics.md` says what each means. */
export class ControllerMetrics {
  readonly registry = new Registry();

  readonly transitions = this.#counter('svc_transitions_total', 'Transitions that ended.', ['kind', 'result']);
  readonly scalingOperations = this.#counter('svc_scaling_operations_total', 'Writes that scale a workload.', [
    'act',
    'outcome',
  ]);
  readonly scalingFailures = this.#counter('svc_scaling_failures_total', 'Scaling writes that the cluster refused.', [
    'act',
  ]);
  readonly recoveries = this.#counter(
    'svc_workload_recoveries_total',
    'Write-offs withdrawn because the workload came up.',
    ['reason'],
  );
  readonly drift = this.#counter('svc_drift_total', 'Changes found under a hibernated cluster.', ['kind']);
  readonly passes = this.#counter('svc_reconcile_total', 'Passes, by how they ended.', ['result']);
  readonly lastPass = this.#once('svc_reconcile_last_completed_timestamp_seconds', 'When a pass last ran to its end.');
  readonly acting = this.#once('svc_acting', '1 while nothing keeps the service from scaling.');
  readonly hibernated = this.#once('svc_cluster_hibernated', '1 while the cluster sleeps.');
  readonly standDown = this.#gauge('svc_stand_down', '1 while a stand-down holds.', ['source']);
  readonly recordedWorkloads = this.#once('svc_recorded_workloads', 'Workloads with a recorded count.');
  readonly stateBytes = this.#once('svc_state_configmap_size_bytes', 'Size of the ConfigMap that holds the state.');
  readonly configRefused = this.#gauge('svc_config_refused', '1 while the newest configuration is refused.');
  readonly stateReadable = this.#once('svc_state_readable', '1 while the state can be read and decoded.');
  readonly licenseVerdict = this.#gauge('svc_license_verdict', '1 for the verdict that holds.', ['verdict']);
  readonly licenseActs = this.#once('svc_license_acts', '1 while the license lets the service act.');
  readonly licenseExpiry = this.#once('svc_license_expiry_timestamp_seconds', 'When the license expires; 0 for never.');
  readonly licenseLastChecked = this.#once(
    'svc_license_last_licensed_timestamp_seconds',
    'When a check last said licensed; 0 for never.',
  );
  readonly licenseStop = this.#once(
    'svc_license_stop_timestamp_seconds',
    'When the service stops acting unless a check succeeds before; 0 while none fails.',
  );
  readonly notificationDeliveries = this.#counter(
    'svc_notification_deliveries_total',
    'Deliveries to one destination each, by how they ended.',
    ['channel', 'outcome'],
  );
  readonly notificationsDropped = this.#counter(
    'svc_notifications_dropped_total',
    'Notifications that gave way because too many waited for their destination.',
    ['channel'],
  );
  readonly notificationQueue = this.#gauge('svc_notification_queue_length', 'Deliveries that wait for their turn.');
  readonly passSeconds = new Histogram({
    name: 'svc_reconcile_duration_seconds',
    help: 'How long a pass took.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
    registers: [this.registry],
  });

  async render(): Promise<{ contentType: string; text: string }> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  /** Absent until it is known once: a 0 that nobody measured would fire alerts and end others. */
  #once(name: string, help: string): Gauge {
    const gauge = this.#gauge(name, help);
    gauge.remove();
    return gauge;
  }
}
