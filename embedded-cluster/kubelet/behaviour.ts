/**
 * How a simulated pod behaves, declared by annotations on its template: `sim.svc.io/<name>`, or
 * `sim.svc.io/<name>.<n>` for the n-th pod of its workload alone (a StatefulSet's ordinal; otherwise the lowest number
 * that no living pod of the same owner has, counted from 0).
 *
 * A pod that no node can take needs no behaviour: give its template the node selector `nowhere`, which the real
 * scheduler refuses in the same words.
 */
export const behaviourPrefix = 'sim.svc.io/';

/** No node carries this label, so a pod that selects it stays Unschedulable on any cluster. */
export const nowhere: Readonly<Record<string, string>> = { 'sim.svc.io/nowhere': 'true' };

type RefusedCreation = 'CreateContainerConfigError' | 'CreateContainerError' | 'RunContainerError';

/** Seconds after the container's start between which it is not ready; without an end, for good. */
interface UnreadyWindow {
  readonly from: number;
  readonly until?: number;
}

export interface Behaviour {
  readonly startSeconds?: readonly number[];
  readonly startupProbeSeconds?: readonly number[];
  readonly neverReady?: boolean;
  readonly unreadyAt?: readonly UnreadyWindow[];
  readonly volumeSeconds?: number;
  readonly initSeconds?: number;
  readonly init?: 'fail';
  readonly initRecoversAfter?: number;
  readonly image?: 'invalid' | 'never';
  readonly pullSeconds?: number;
  readonly pull?: 'fail';
  readonly pullRecoversAfter?: number;
  readonly create?: RefusedCreation;
  readonly createRecoversAfter?: number;
  readonly crashAfterSeconds?: number;
  readonly crashTimes?: number;
  readonly exitCode?: number;
  readonly runSeconds?: number;
  readonly terminateSeconds?: number;
  readonly container?: string;
}

type Parse<T> = (text: string) => T | undefined;

interface Entry<T> {
  readonly field: keyof Behaviour;
  readonly expects: string;
  readonly parse: Parse<T>;
  readonly meaning: string;
}

const seconds = { expects: 'a number of seconds such as 30', parse: parseSeconds } as const;
const secondsEachAttempt = {
  expects: 'seconds, or a list with one figure for each attempt such as 600,20',
  parse: parseList(parseSeconds),
} as const;

/** Every behaviour there is. The last figure of a list holds for all later attempts. */
const behaviours: Readonly<Record<string, Entry<NonNullable<Behaviour[keyof Behaviour]>>>> = {
  'start-seconds': {
    field: 'startSeconds',
    ...secondsEachAttempt,
    meaning: 'from the start of the container until it is ready (0)',
  },
  'startup-probe-seconds': {
    field: 'startupProbeSeconds',
    ...secondsEachAttempt,
    meaning:
      'from the start until the startupProbe first succeeds (start-seconds); past its budget the container is killed',
  },
  'never-ready': {
    field: 'neverReady',
    expects: '"true" or "false"',
    parse: parseBoolean,
    meaning: 'runs, and its readiness probe never succeeds',
  },
  'unready-at': {
    field: 'unreadyAt',
    expects: 'seconds after the start, a span such as 60-90, or a list of them',
    parse: parseList(parseWindow),
    meaning: 'stops being ready again, for the span or for good',
  },
  'volume-seconds': { field: 'volumeSeconds', ...seconds, meaning: 'until its volumes are mounted (0)' },
  'init-seconds': { field: 'initSeconds', ...seconds, meaning: 'each init container runs for that long (1)' },
  init: { field: 'init', ...oneOf('fail'), meaning: 'the first init container exits with 1 each time' },
  'init-recovers-after': { field: 'initRecoversAfter', ...seconds, meaning: 'init attempts begun after that succeed' },
  image: {
    field: 'image',
    ...oneOf('invalid', 'never'),
    meaning: 'the reference is not valid, or pull policy Never and the image is not on the node',
  },
  'pull-seconds': { field: 'pullSeconds', ...seconds, meaning: 'each pull takes that long (1)' },
  pull: { field: 'pull', ...oneOf('fail'), meaning: 'each pull fails: ErrImagePull and ImagePullBackOff in turn' },
  'pull-recovers-after': { field: 'pullRecoversAfter', ...seconds, meaning: 'pulls begun after that succeed' },
  create: {
    field: 'create',
    ...oneOf('CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'),
    meaning: 'the kubelet refuses the container with that reason',
  },
  'create-recovers-after': { field: 'createRecoversAfter', ...seconds, meaning: 'then the container is created' },
  'crash-after-seconds': {
    field: 'crashAfterSeconds',
    ...seconds,
    meaning: 'exits that long after each start; not ready before it unless start-seconds is declared and shorter',
  },
  'crash-times': { field: 'crashTimes', ...wholeNumber(1, 1_000_000), meaning: 'crashes that often, then stays up' },
  'exit-code': { field: 'exitCode', ...wholeNumber(1, 255), meaning: 'of a crash (1)' },
  'run-seconds': { field: 'runSeconds', ...seconds, meaning: 'exits with 0 after that; pods of Jobs default to 10' },
  'terminate-seconds': {
    field: 'terminateSeconds',
    ...seconds,
    meaning: 'needs that long to stop, at most the grace period (1)',
  },
  container: {
    field: 'container',
    expects: 'the name of a container',
    parse: (text) => (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text) ? text : undefined),
    meaning: 'the one container that the other behaviours apply to (all)',
  },
};

export interface ParsedBehaviour {
  readonly behaviour: Behaviour;
  /** What could not be understood, a sentence each; the value counts as not given. */
  readonly problems: readonly string[];
}

const none: ParsedBehaviour = { behaviour: {}, problems: [] };

/** Reads the behaviour of the pod with that index; an annotation for the index wins over the one for all pods. */
export function parseBehaviour(
  annotations: Readonly<Record<string, string>> | undefined,
  index: number,
): ParsedBehaviour {
  if (annotations === undefined) return none;
  const problems: string[] = [];
  const forAll: Record<string, unknown> = {};
  const forThisPod: Record<string, unknown> = {};
  for (const key in annotations) {
    if (!key.startsWith(behaviourPrefix)) continue;
    const [name, pod] = splitIndex(key.slice(behaviourPrefix.length));
    if (pod !== undefined && pod !== index) continue;
    const entry = behaviours[name];
    if (entry === undefined) {
      problems.push(unknownBehaviour(key, name));
      continue;
    }
    const text = annotations[key]!;
    const value = entry.parse(text.trim());
    if (value === undefined) problems.push(`${key}: "${text}" is not ${entry.expects}.`);
    else (pod === undefined ? forAll : forThisPod)[entry.field] = value;
  }
  return { behaviour: { ...forAll, ...forThisPod }, problems };
}

function splitIndex(name: string): readonly [string, number | undefined] {
  const match = /^(.*)\.(\d+)$/.exec(name);
  return match === null ? [name, undefined] : [match[1]!, Number(match[2])];
}

function unknownBehaviour(key: string, name: string): string {
  if (name === 'unschedulable') {
    return `${key} is not a behaviour: give the template nodeSelector sim.svc.io/nowhere: "true", which every scheduler refuses.`;
  }
  return `${key} is not a behaviour. Known are ${Object.keys(behaviours).join(', ')}.`;
}

function parseBoolean(text: string): boolean | undefined {
  return text === 'true' || (text === 'false' ? false : undefined);
}

function parseSeconds(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function parseWindow(text: string): UnreadyWindow | undefined {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text);
  if (match === null) return undefined;
  const from = Number(match[1]);
  if (match[2] === undefined) return { from };
  const until = Number(match[2]);
  return until > from ? { from, until } : undefined;
}

function parseList<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (text) => {
    const values = text.split(',').map((part) => parse(part.trim()));
    return values.every((value) => value !== undefined) ? (values as T[]) : undefined;
  };
}

function oneOf<T extends string>(...words: readonly T[]): Pick<Entry<T>, 'expects' | 'parse'> {
  const expects = words.length === 1 ? `"${words[0]}"` : `one of ${words.join(', ')}`;
  return { expects, parse: (text) => words.find((word) => word === text) };
}

function wholeNumber(least: number, most: number): Pick<Entry<number>, 'expects' | 'parse'> {
  const parse = (text: string) => {
    const value = parseSeconds(text);
    return value !== undefined && value >= least && value <= most ? value : undefined;
  };
  return { expects: `a whole number from ${least} to ${most}`, parse };
}
