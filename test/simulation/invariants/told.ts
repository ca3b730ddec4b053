import { transition } from '../../../src/controller/transition/transition.ts';
import type { AuditEntry } from '../../../src/domain/audit/entry.ts';
import { shouldBeOf } from '../oracle/should-be.ts';
import { isMarked, levelOf, refOf } from '../oracle/workload-level.ts';
import { releaseNamespace } from '../world/shipped-controller.ts';
import type { SimWorld } from '../world/sim-world.ts';
import { Violation } from './violation.ts';

/** Every transition leaves its line in the audit log, exactly once, and none says success while something is down. */
export class Told {
  readonly #world: SimWorld;
  /** Ids of transitions that began and whose state was not taken away from outside. */
  readonly #begun = new Set<string>();

  constructor(world: SimWorld) {
    this.#world = world;
  }

  stateWritten(data: Readonly<Record<string, string>>): void {
    const running = transition.decode(data['transition']);
    // Somebody spoilt it: what ran is set aside, and can no longer be told.
    if (!running.ok) this.#begun.clear();
    else if (running.value !== null) this.#begun.add(running.value.id);
  }

  /** Somebody deleted the state: what ran then can no longer be told. */
  stateLost(): void {
    this.#begun.clear();
  }

  /** At the moment an entry is written: what it says and did not happen, in words. */
  auditWritten(text: string): string | undefined {
    const entry = lastEntry(text);
    if (entry?.kind === 'wake' && entry.result === 'success' && entry.completeness === 'complete')
      return this.#leftDown(entry);
    if (entry?.kind === 'workload-handed-back') return this.#notHandedBack(entry);
    return undefined;
  }

  /** What is gone was not handed back. */
  #notHandedBack(entry: AuditEntry): string | undefined {
    const named = (entry as { details?: { workloads?: readonly string[] } }).details?.workloads ?? [];
    const there = new Set([...this.#world.workloads(), ...this.#world.neighbours()].map(refOf));
    const gone = named.filter((workload) => !there.has(workload));
    return gone.length === 0 ? undefined : `${entry.id} says handed back of ${gone}, which is gone`;
  }

  #leftDown(entry: AuditEntry): string | undefined {
    const should = this.#world.shouldBe();
    const down = this.#world
      .workloads()
      .filter((one) => one.metadata.deletionTimestamp === undefined && isMarked(one) && levelOf(one) === 0)
      .filter((one) => shouldBeOf(should, this.#world.configParts, one) === 'up');
    return down.length === 0 ? undefined : `${entry.id} says success while ${down.map(refOf)} is down`;
  }

  /** At rest: each transition that began has ended in exactly one line. */
  check(): void {
    const entries = this.#entries();
    const counts = new Map<string, number>();
    for (const { id } of entries) counts.set(id, (counts.get(id) ?? 0) + 1);
    const running = transition.decode(this.#world.stateData()['transition']);
    const runningId = running.ok ? running.value?.id : undefined;
    for (const id of this.#begun) {
      // A dry run leaves what ran when it was turned on where it is.
      if (id === runningId) continue;
      const told = (counts.get(`${id}-ended`) ?? 0) + (counts.get(`${id}-stopped`) ?? 0);
      if (told !== 1) throw new Violation('harmless and truthful', `${id} has ${told} lines in the audit log`);
    }
    for (const [id, count] of counts) {
      if (count > 1) throw new Violation('harmless and truthful', `the audit log has ${count} lines of ${id}`);
    }
    this.#begun.clear();
    if (runningId !== undefined) this.#begun.add(runningId);
  }

  #entries(): readonly AuditEntry[] {
    return this.#world.store
      .list('configmaps', releaseNamespace)
      .filter(({ metadata }) => metadata.name.startsWith('svc-audit-'))
      .flatMap((object) => (object['data'] as Record<string, string>)['entries']!.split('\n'))
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditEntry);
  }
}

function lastEntry(text: string): AuditEntry | undefined {
  const line = text.trimEnd().split('\n').at(-1);
  return line === undefined || line === '' ? undefined : (JSON.parse(line) as AuditEntry);
}
