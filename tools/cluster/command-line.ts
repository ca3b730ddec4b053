import { parseArgs } from 'node:util';

export type ClusterCommand =
  | { readonly act: 'up'; readonly nodes: number }
  | { readonly act: 'embedded'; readonly port: number }
  | { readonly act: 'down' | 'status' }
  | { readonly act: 'kubectl' | 'helm'; readonly args: readonly string[] }
  /** What the detached process of `up` and of `embedded` runs; not for people. */
  | { readonly act: 'serve'; readonly nodes: number; readonly folder: string }
  | { readonly act: 'serve-embedded'; readonly port: number; readonly folder: string }
  | { readonly act: 'usage'; readonly problem: string }
  | { readonly act: 'help' };

export const usage = `npm run cluster -- COMMAND
  up [--nodes N]         start a control plane on loopback with N simulated nodes (5); prints "kubeconfig: PATH"
  embedded [--port N]    serve the embedded cluster over HTTP; prints "kubeconfig: PATH"
  status                 say what runs
  down                   stop both
  kubectl ARGS…          kubectl on the cluster that runs
  helm ARGS…             helm on the cluster that runs
TEST_KUBECONFIG names another cluster for kubectl, helm and the tests.`;

export function parseCommand(argv: readonly string[]): ClusterCommand {
  const [act, ...rest] = argv;
  // Everything after these belongs to the program, flags included.
  if (act === 'kubectl' || act === 'helm') return { act, args: rest };
  if (act === '--help' || act === '-h' || act === 'help') return { act: 'help' };
  try {
    const options = { nodes: { type: 'string' }, port: { type: 'string' }, folder: { type: 'string' } } as const;
    const { values } = parseArgs({ args: rest, options, strict: true });
    const nodes = wholeNumber('--nodes', values.nodes ?? '5', 1, 1000);
    const port = wholeNumber('--port', values.port ?? '0', 0, 65_535);
    const folder = values.folder ?? '';
    switch (act) {
      case 'up':
        return { act, nodes };
      case 'embedded':
        return { act, port };
      case 'down':
      case 'status':
        return { act };
      case 'serve':
        return { act, nodes, folder };
      case 'serve-embedded':
        return { act, port, folder };
      default:
        return {
          act: 'usage',
          problem: act === undefined ? 'no command given' : `unknown command ${JSON.stringify(act)}`,
        };
    }
  } catch (error) {
    return { act: 'usage', problem: (error as Error).message };
  }
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || text.trim() === '' || value < least || value > most) {
    throw new Error(`${flag} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}`);
  }
  return value;
}
