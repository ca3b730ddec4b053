import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What is counted when the metrics are read. */
export interface Counted {
  streams(): number;
  /** Undefined while nobody can tell: the last known number stays. */
  externalWakeSessions(): number | undefined;
}

/** What the API counts. Labels are names of routes, never paths that a caller makes up. */
export class ApiMetrics {
  readonly registry = new Registry();
  readonly requests = new Counter({
    name: 'svc_api_requests_total',
    help: 'Requests, by route and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.registry],
  });
  readonly errors = new Counter({
    name: 'svc_api_errors_total',
    help: 'Answers that are errors, by code.',
    labelNames: ['route', 'code'],
    registers: [this.registry],
  });
  readonly seconds = new Histogram({
    name: 'svc_api_request_duration_seconds',
    help: 'How long answers took.',
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5],
    registers: [this.registry],
  });
  readonly streams = new Gauge({
    name: 'svc_api_event_streams',
    help: 'Open event streams.',
    registers: [this.registry],
  });
  readonly passkeyBytes = new Gauge({
    name: 'svc_passkey_store_size_bytes',
    help: 'Size of the ConfigMap that holds the passkeys.',
    registers: [this.registry],
  });

  readonly parameterBytes = new Gauge({
    name: 'svc_parameter_store_size_bytes',
    help: 'Size of a parameter that holds cost statistics.',
    labelNames: ['parameter'],
    registers: [this.registry],
  });
  readonly externalWakeSessions = new Gauge({
    name: 'svc_external_wake_sessions',
    help: 'Sessions of dependent clusters that keep this one, or a part of it, awake.',
    registers: [this.registry],
  });

  readonly #counted: Counted;
  readonly #counters = new Map<string, Counter.Internal>();

  constructor(counted: Counted = { streams: () => 0, externalWakeSessions: () => 0 }) {
    // Absent until the store was read once: a 0 that nobody measured would end an alert.
    this.passkeyBytes.remove();
    this.#counted = counted;
  }

  /** A route, method and status are looked up by their labels once. */
  count(route: string, method: string, status: number, errorCode: string | undefined): void {
    const key = `${route} ${method} ${status}`;
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      counter = this.requests.labels({ route, method, status });
      this.#counters.set(key, counter);
    }
    counter.inc();
    if (errorCode !== undefined) this.errors.inc({ route, code: errorCode });
  }

  async render(): Promise<{ contentType: string; text: string }> {
    this.streams.set(this.#counted.streams());
    const sessions = this.#counted.externalWakeSessions();
    if (sessions !== undefined) this.externalWakeSessions.set(sessions);
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }
}
