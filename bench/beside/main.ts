// Ours, a plain loop and any other tool on the same cluster in the same run, in turns. What each flag means: --help.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { bundle, bundlePrograms, bundles } from '../../tools/build/bundle.ts';
import { containerFor } from '../container-size.ts';
import type { Benchmark } from '../main.ts';
import { Caller, callersNamespace } from '../real/caller.ts';
import { callsBetween, callsText } from '../real/calls.ts';
import { processorSeconds } from '../real/processor-time.ts';
import { TreeUse } from '../real/tree-use.ts';
import { turns } from '../samples.ts';
import { parseWanted, usage, type Wanted } from './arguments.ts';
import { DeploymentWatch } from './deployment-watch.ts';
import {
  type Killed,
  type Measured,
  type Run,
  rowOf,
  tableJson,
  tableText,
  verdict,
  type WayTaken,
} from './figures.ts';
import { OtherTool } from './other-tool.ts';
import { OurController, releaseNamespace } from './our-controller.ts';
import { PausedFleet } from './paused-fleet.ts';
import { PlainLoop } from './plain-loop.ts';
import type { Passed, Way } from './progress.ts';
import type { Tool } from './tool.ts';

/** Longer than any run: a token that ends in the middle would be measured with the tool. */
const tokenSeconds = 86_400;

export const run: Benchmark = async (args) => {
  const wanted = parseWanted(args);
  if (wanted === 'help') {
    console.log(usage);
    return { figure: '0 tools measured: help was asked for', pass: true };
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-beside-'));
  const fleet = await PausedFleet.start(wanted.workloads);
  try {
    say(`${wanted.workloads} paused Deployments are there`);
    return report(await measured(fleet, await measuredTools(fleet, folder, wanted), wanted), wanted);
  } finally {
    await fleet.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

interface MeasuredTool {
  readonly tool: Tool;
  readonly caller: Caller;
  readonly runs: Run[];
}

async function measuredTools(
  fleet: PausedFleet,
  folder: string,
  { other, workloads }: Wanted,
): Promise<readonly MeasuredTool[]> {
  const here = (path: string) => join(import.meta.dirname, '..', path);
  await bundle({ controller: here(`../${bundles.controller}`) }, join(folder, 'ours'));
  await bundlePrograms({ 'bare-loop': here('transitions/bare-loop.ts') }, folder);
  await fleet.client.create(resources.namespaces, undefined, { metadata: { name: releaseNamespace } });
  const admitted = async (name: string) => {
    const caller = await Caller.admit(fleet.plane, fleet.admin, { name, namespace: callersNamespace });
    return { caller, account: await caller.account(tokenSeconds) };
  };
  const [our, loop, others] = [await admitted('ours'), await admitted('loop'), await admitted('other')];
  const plain = new PlainLoop(fleet, loop.account, join(folder, 'bare-loop.mjs'));
  const ours = new OurController(
    fleet.client,
    our.account,
    join(folder, 'ours', 'controller.mjs'),
    containerFor(workloads),
  );
  return [
    { tool: plain, caller: loop.caller, runs: [] },
    { tool: ours, caller: our.caller, runs: [] },
    ...(other === undefined
      ? []
      : [{ tool: new OtherTool(other, others.account.kubeconfig), caller: others.caller, runs: [] }]),
  ];
}

async function measured(
  fleet: PausedFleet,
  tools: readonly MeasuredTool[],
  { runs, killAt, patienceMs }: Wanted,
): Promise<readonly Measured[]> {
  const stage = new Stage(fleet, patienceMs);
  for (let index = 0; index < runs; index++) {
    for (const { tool, caller, runs: done } of turns(tools, index)) {
      const one = await stage.run(tool, caller);
      done.push(one);
      say(
        `run ${index + 1}, ${tool.name}: down ${seconds(one.down)}, up ${seconds(one.up)}, peak ${one.peak.residentMiB.toFixed(0)} MiB, processor ${one.down.processor.own.toFixed(2)} and ${one.up.processor.own.toFixed(2)} s, ${one.lost} lost, ${callsText(one.calls)}`,
      );
    }
  }
  const all: Measured[] = [];
  for (const { tool, runs: done } of tools) {
    const killed = killAt === undefined ? undefined : await stage.killedRun(tool, killAt);
    if (killed) say(`${tool.name}, killed at ${killed.atPercent.toFixed(0)} %: ${killed.lost} lost`);
    all.push({ name: tool.name, runs: done, killed });
  }
  return all;
}

/** Where a tool does its run, and nobody else meanwhile. */
class Stage {
  readonly #fleet: PausedFleet;
  readonly #patienceMs: number;

  constructor(fleet: PausedFleet, patienceMs: number) {
    this.#fleet = fleet;
    this.#patienceMs = patienceMs;
  }

  async run(tool: Tool, caller: Caller): Promise<Run> {
    const before = await caller.calls();
    const use = new TreeUse(() => tool.roots());
    try {
      await tool.prepare();
      const down = await this.#measuredWay(tool, 'down', use);
      const up = await this.#measuredWay(tool, 'up', use);
      const lost = (await this.#fleet.lost()).length;
      return { down, up, lost, calls: callsBetween(before, await caller.calls()), peak: use.peak };
    } finally {
      use.stop();
      await tool.close();
      await this.#fleet.restore();
    }
  }

  /** Killed on its way down and started again; counted when it has been up. */
  async killedRun(tool: Tool, percent: number): Promise<Killed> {
    try {
      await tool.prepare();
      const watch = await DeploymentWatch.open(this.#fleet, 'down');
      const reached = watch.reached(percent);
      await tool.go('down');
      await Promise.race([reached, watch.passed(systemClock.monotonic(), this.#patienceMs)]);
      const atPercent = watch.progress.percent;
      await tool.kill();
      watch.close();
      const rest = await DeploymentWatch.open(this.#fleet, 'down');
      await tool.again('down');
      await rest.passed(systemClock.monotonic(), this.#patienceMs);
      await tool.arrived('down');
      await this.#way(tool, 'up');
      return { atPercent, lost: (await this.#fleet.lost()).length };
    } finally {
      await tool.close();
      await this.#fleet.restore();
    }
  }

  async #way(tool: Tool, way: Way): Promise<void> {
    await this.#passed(tool, way);
    await tool.arrived(way);
  }

  async #measuredWay(tool: Tool, way: Way, use: TreeUse): Promise<WayTaken> {
    const apiserver = await this.#fleet.apiserver();
    const taken = () => ({ own: use.processorSeconds, apiserver: processorSeconds(apiserver) });
    let before = taken();
    const passed = await this.#passed(tool, way, () => {
      before = taken();
    });
    const after = taken();
    await tool.arrived(way);
    const processor = { own: after.own - before.own, apiserver: after.apiserver - before.apiserver };
    return { ...passed, processor };
  }

  /** `asking` is called when all is at rest and watched, right before the tool is asked. */
  async #passed(tool: Tool, way: Way, asking: () => void = () => {}): Promise<Passed> {
    // The cluster's controllers are at rest, so that the next way is not slowed by the last one.
    await this.#fleet.observed();
    const watch = await DeploymentWatch.open(this.#fleet, way);
    asking();
    await tool.go(way);
    return watch.passed(systemClock.monotonic(), this.#patienceMs);
  }
}

function report(all: readonly Measured[], { workloads, json }: Wanted): { figure: string; pass: boolean } {
  const rows = all.map((one) => rowOf(one, workloads));
  console.log(json ? tableJson(rows, workloads) : tableText(rows, workloads));
  return verdict(rows, { ours: 'ours', loop: 'plain loop', containerMiB: containerFor(workloads) });
}

function seconds({ changesMs }: Passed): string {
  return `${(changesMs / 1000).toFixed(2)} s`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
