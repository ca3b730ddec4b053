import { parseArgs } from 'node:util';

export const usage = `npm run bench -- beside [flags]
Puts paused Deployments over ten namespaces of a real control plane to sleep and up again, in turns: by our controller (its bundle, with
the flags of its image for a container of the size that docs/sizes.md names for so many workloads, client limits lifted), by a plain loop of
the same patches, and by another tool, if one is given.

  --workloads N     how many Deployments there are (1000)
  --runs N          how often each is measured (3)
  --kill-at PERCENT after these runs each is ended by SIGKILL once, when so many percent are at zero, and started again; 0 leaves it
                    out (50)
  --patience S      a way is over when nothing has changed for so many seconds (60)
  --json            prints the table as one line of JSON in the place of text

The other tool is whatever these commands run. sh runs them, with KUBECONFIG set to a kubeconfig of a user who may do everything and
whose calls the apiserver counts apart. Prefix with exec what keeps running, so that no shell is measured with it.
  --down CMD        brings every Deployment in the namespaces team-0 to team-9 to zero. Started in the background: it may keep running,
                    and is ended (SIGTERM, after 10 s SIGKILL) when all are at zero
  --up CMD          brings all of them back to their counts; ended in the same way
  --ready CMD       tried every 100 ms after each start until it ends with 0: from then on the tool counts as asked. Without it, it
                    counts as asked when it is started
  --keep            what --down started keeps running until the end of the run: for a tool that does both ways, whose --up tells it so
  --name NAME       what the table calls it (other)
A Deployment has 1 to 4 replicas, so that a tool that brings all to the same count has lost some.`;

export interface OtherTool {
  readonly name: string;
  readonly down: string;
  readonly up: string;
  /** `true` where nothing was given. */
  readonly ready: string;
  readonly keep: boolean;
}

export interface Wanted {
  readonly workloads: number;
  readonly runs: number;
  /** Undefined: nobody is killed. */
  readonly killAt: number | undefined;
  readonly patienceMs: number;
  readonly json: boolean;
  readonly other: OtherTool | undefined;
}

export function parseWanted(args: readonly string[]): Wanted | 'help' {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      workloads: { ...text, default: '1000' },
      runs: { ...text, default: '3' },
      'kill-at': { ...text, default: '50' },
      patience: { ...text, default: '60' },
      name: { ...text, default: 'other' },
      down: text,
      up: text,
      ready: text,
      keep: flag,
      json: flag,
      help: flag,
    },
  });
  if (values.help) return 'help';
  const killAt = whole('kill-at', values['kill-at'], 0, 99);
  return {
    workloads: whole('workloads', values.workloads, 10, 100_000),
    runs: whole('runs', values.runs, 1, 100),
    killAt: killAt === 0 ? undefined : killAt,
    patienceMs: whole('patience', values.patience, 1, 3600) * 1000,
    json: values.json,
    other: otherTool(values),
  };
}

function otherTool(values: {
  readonly name: string;
  readonly down?: string;
  readonly up?: string;
  readonly ready?: string;
  readonly keep: boolean;
}): OtherTool | undefined {
  const { name, down, up, ready, keep } = values;
  if (down !== undefined && up !== undefined) return { name, down, up, ready: ready ?? 'true', keep };
  if (down !== undefined || up !== undefined) throw new Error('Another tool needs both --down and --up.');
  if (ready !== undefined || keep)
    throw new Error('--ready and --keep are for another tool: give --down and --up too.');
  return undefined;
}

function whole(flag: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${flag} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}.`);
}
