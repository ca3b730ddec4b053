import { parseArgs } from 'node:util';

export interface DemoFlags {
  readonly port: number;
  readonly seed: number;
  /** How many times faster than the machine's the clock runs. */
  readonly speed: number;
  /** How many days the embedded cluster has behind it. */
  readonly past: number;
  /** A real cluster instead of the embedded one. */
  readonly kubeconfig?: string;
  /** Lets the service change a real cluster; without it everything there is a dry run. */
  readonly act: boolean;
  /** A file of values under `config` that stand over the demo's own. */
  readonly config?: string;
  /** A file of values under `branding`: the brand of the demo. */
  readonly branding?: string;
  /** A folder of shared keys, as the chart mounts them: `<folder>/<secret>/<key>`. */
  readonly keys?: string;
}

export type ParsedFlags =
  | { readonly ok: 'help' }
  | { readonly ok: true; readonly flags: DemoFlags }
  | { readonly ok: false; readonly message: string };

export const usage = `npm start -- [--port N] [--seed N] [--speed N] [--past N] [--config FILE] [--branding FILE]
             [--keys FOLDER] [--kubeconfig PATH [--act]]

  --port N           the web app's port; default 3000. The mail is at N+25, the sleeping service at N+26
  --seed N           another fleet: how long its workloads take to start; default 1
  --speed N          the clock runs N times faster; default 1
  --past N           the cluster has N days behind it; default 28
  --config FILE      YAML of values under config that stand over the demo's own
  --branding FILE    YAML of values under branding: another name, logo and color
  --keys FOLDER      shared keys between clusters, a file each: FOLDER/SECRET/KEY
  --kubeconfig PATH  a real cluster instead of the embedded one; a dry run unless --act
  --act              change the real cluster`;

/** The flags of `npm start`; a bad one is named together with what would be right. */
export function parseFlags(args: readonly string[]): ParsedFlags {
  const options = {
    port: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '1' },
    past: { type: 'string', default: '28' },
    kubeconfig: { type: 'string' },
    act: { type: 'boolean', default: false },
    config: { type: 'string' },
    branding: { type: 'string' },
    keys: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const read = () => parseArgs({ args: [...args], options, strict: true }).values;
  let values: ReturnType<typeof read>;
  try {
    values = read();
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  if (values.help) return { ok: 'help' };
  const port = whole(values.port, 1, 65_535);
  const seed = whole(values.seed, 0, 2 ** 32 - 1);
  const speed = Number(values.speed);
  const past = whole(values.past, 0, 28);
  if (port === undefined) return wrong('--port', values.port, 'a port number from 1 to 65535');
  if (seed === undefined) return wrong('--seed', values.seed, 'a whole number');
  if (!(speed >= 0.1 && speed <= 10_000)) return wrong('--speed', values.speed, 'a number from 0.1 to 10000');
  if (past === undefined) return wrong('--past', values.past, 'a number of days from 0 to 28');
  const real = values.kubeconfig !== undefined;
  if (real && speed !== 1)
    return wrong('--speed', values.speed, 'left out with --kubeconfig: a real cluster has its own time');
  if (values.act && !real)
    return { ok: false, message: '--act goes with --kubeconfig: the embedded cluster is always acted on' };
  return { ok: true, flags: { port, seed, speed, past, act: values.act, ...places(values) } };
}

const placeNames = ['kubeconfig', 'config', 'branding', 'keys'] as const;
type Place = (typeof placeNames)[number];

/** Those that were given; a flag that is left out is left out here too. */
function places(values: { [P in Place]?: string | undefined }): { [P in Place]?: string } {
  const given = placeNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  return Object.fromEntries(given);
}

function whole(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

function wrong(flag: string, given: string, right: string): ParsedFlags {
  return { ok: false, message: `${flag} ${given}: must be ${right}` };
}
