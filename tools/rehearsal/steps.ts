import { parse } from 'yaml';

interface WorkflowStep {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly uses?: string; readonly steps?: readonly WorkflowStep[] }>>;
}

export interface Step {
  readonly job: string;
  readonly name: string;
  /** The command, as the workflow has it or as it can be run without a registry. */
  readonly run?: string;
  /** Why it is run in another way than the workflow has it, or not at all. */
  readonly differs?: string;
}

/** What reaches out of the machine, by a part of its text. A step that is none of these runs as it stands. */
const elsewhere: readonly { readonly part: string; readonly run?: string; readonly differs: string }[] = [
  {
    part: 'docker buildx bake',
    run: 'npm run --silent build && npm run --silent images',
    differs:
      'there is no Docker: the trees of the images are assembled; to start them as containers (npm run images:smoke) takes root',
  },
  { part: 'cosign sign', differs: 'signs what a registry holds' },
  {
    part: 'helm package',
    run: 'helm lint --strict charts/svc --set fullnameOverride=svc --values test/chart/values/minimal.yaml && helm package charts/svc --destination dist',
    differs: 'the chart is packaged and not pushed',
  },
];

/** The commands of a release in their order: those of its own jobs, and of a workflow that it calls. */
export function stepsOf(release: string, textOf: (file: string) => string): readonly Step[] {
  const { jobs } = parse(release) as Workflow;
  return Object.entries(jobs).flatMap(([job, { uses, steps = [] }]) => {
    if (uses !== undefined) return stepsOf(textOf(uses), textOf);
    return steps.flatMap((step) => (step.run === undefined ? [] : [stepOf(job, step, step.run)]));
  });
}

function stepOf(job: string, { name, env = {} }: WorkflowStep, run: string): Step {
  const other = elsewhere.find(({ part }) => run.includes(part));
  const title = name ?? run.trim().split('\n')[0]!;
  if (other === undefined) return { job, name: title, run: `${exported(env)}${run}` };
  const { run: instead, differs } = other;
  return { job, name: title, differs, ...(instead === undefined ? {} : { run: instead }) };
}

/** Values that GitHub fills in are none of ours; what is left of them is empty there too. */
function exported(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .filter(([, value]) => !value.includes('${{'))
    .map(([key, value]) => `export ${key}='${value}'\n`)
    .join('');
}
