import { type ApiExample, apiExamples } from './api-examples.ts';
import { RecordedDemo } from './recorded-demo.ts';
import { shownAnswer } from './shown-answer.ts';
import { type SvcExample, svcExamples } from './svc-examples.ts';

export interface Recordings {
  readonly api: readonly ApiExample[];
  readonly svc: readonly SvcExample[];
  /** By name of the event, its data. */
  readonly stream: ReadonlyMap<string, string>;
  readonly kubernetesEvents: readonly {
    readonly reason: string;
    readonly type: string;
    readonly message: string;
    readonly where: string;
  }[];
  /** Of each series one sample, without its value. */
  readonly series: ReadonlyMap<string, string>;
}

let recorded: Promise<Recordings> | undefined;

/** What the demo said, for all references at once. */
export function recordings(): Promise<Recordings> {
  recorded ??= record();
  return recorded;
}

async function record(): Promise<Recordings> {
  const first = await RecordedDemo.start();
  const api = await apiExamples(first);
  await first.signIn();
  await first.pass(5);
  const status = (await first.ask('hibernationStatus')).body;
  const frames = [...first.frames].map(([name, payload]) => [name, shownAnswer(JSON.stringify(payload))] as const);
  const stream = new Map([...frames, ['status', shownAnswer(status)] as const]);
  const kubernetesEvents = first.kubernetesEvents().map(({ reason, type, message, metadata }) => {
    return { reason, type, message, where: metadata.namespace };
  });
  const series = samplesOf(await first.scrape());
  await first.stop();
  const second = await RecordedDemo.start();
  const svc = await svcExamples(second);
  await second.stop();
  return { api, svc, stream, kubernetesEvents, series };
}

function samplesOf(page: string): ReadonlyMap<string, string> {
  const samples = new Map<string, string>();
  for (const line of page.split('\n')) {
    const [, sample = '', name = ''] = /^((svc_\w+?)(?:_bucket)?(?:\{[^}]*\})?) /.exec(line) ?? [];
    if (name !== '' && !samples.has(name)) samples.set(name, sample);
  }
  return samples;
}
