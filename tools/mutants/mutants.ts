/** A fault planted in our own code: `find` becomes `put`, and some test has to notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** What is run against it, the likeliest first. */
  readonly tests: readonly Suite[];
}

/** A project of the test runner and the paths in it. */
export type Suite = readonly [project: 'unit' | 'simulation', ...paths: string[]];

const matrix: Suite = ['simulation', 'test/simulation/crash-matrix'];
const owners: Suite = ['simulation', 'test/simulation/traps/owners.test.ts'];
const cluster: Suite = ['simulation', 'test/simulation/traps/cluster.test.ts'];
const standDown: Suite = ['simulation', 'test/simulation/stand-down.test.ts'];
const seeds: Suite = ['simulation', 'test/simulation/seeds.test.ts'];
const unreadable: Suite = ['simulation', 'test/simulation/wake-verdicts/unreadable.test.ts'];
const endings: Suite = ['simulation', 'test/simulation/wake-verdicts/endings.test.ts'];
const announcements: Suite = ['simulation', 'test/simulation/announcements.test.ts'];
const tiers: Suite = ['simulation', 'test/simulation/hibernate-tiers.test.ts'];
const shell: Suite = ['simulation', 'test/simulation/traps/shell.test.ts'];
const room: Suite = ['simulation', 'test/simulation/traps/room.test.ts'];
const told: Suite = ['simulation', 'test/simulation/traps/told.test.ts'];
const restored: Suite = ['simulation', 'test/simulation/traps/restored.test.ts'];
const unit = (...paths: string[]): Suite => ['unit', ...paths];

export const mutants: readonly Mutant[] = [
  {
    name: 'hibernates an hour early',
    file: 'src/domain/desired/desired-state.ts',
    find: '  const choice = choose(schedule, acts, now);',
    put: `  const early = choose(schedule, acts, now + 3_600_000);
  const choice = early.awake ? choose(schedule, acts, now) : early;`,
    tests: [seeds],
  },
  {
    name: 'every schedule is read in UTC',
    file: 'src/domain/schedule/compile.ts',
    find: 'this.zone = new Zone(week.timezone);',
    put: "this.zone = new Zone('UTC');",
    tests: [seeds],
  },
  {
    name: 'a wake override is ignored',
    file: 'src/domain/desired/choice.ts',
    find: '  if (override !== undefined) return byOverride(schedule, override, at);',
    put: '  if (override !== undefined && at < 0) return byOverride(schedule, override, at);',
    tests: [seeds],
  },
  {
    name: 'record after act',
    file: 'src/controller/hibernate/hibernate.ts',
    find: `  await context.session.writeOutsideReserve(edit, ...context.life.count(context.session));
  return current;`,
    put: `  const counted = context.life.count(context.session);
  const early = records.flatMap((one) => {
    const found = context.snapshot.workload(one);
    return found !== undefined && isScalable(found) && found.replicas > 0
      ? [{ act: 'lower', workload: found, count: found.replicas, epoch: context.life.epoch } as const]
      : [];
  });
  await apply(context, early);
  await context.session.writeOutsideReserve(edit, ...counted);
  return current;`,
    tests: [matrix, seeds],
  },
  {
    name: 'workload patch without resourceVersion',
    file: 'src/adapters/cluster/workload-writer.ts',
    find: '{ resourceVersion: workload.resourceVersion, annotations: marks }',
    put: '{ annotations: marks }',
    tests: [matrix, seeds],
  },
  {
    name: 'state patch without resourceVersion',
    file: 'src/adapters/cluster/config-map-state-store.ts',
    find: 'metadata: { resourceVersion: base.resourceVersion, ...',
    put: 'metadata: { ...',
    tests: [matrix, seeds],
  },
  {
    name: 'corrupt read as empty',
    file: 'src/service/undecodable.ts',
    find: '!decoded.ok && (',
    put: 'false && (',
    tests: [cluster, seeds],
  },
  {
    name: '504 as done',
    file: 'src/adapters/cluster/write-outcome.ts',
    find: "if (error.status >= 500) return { outcome: 'unknown', message: error.message };",
    put: "if (error.status >= 500) return { outcome: 'done' };",
    tests: [unit('src/adapters/cluster'), matrix, seeds],
  },
  {
    name: 'second capture wins',
    file: 'src/domain/hibernate/decide-tier.ts',
    find: '  if (mark !== undefined) {',
    put: '  if (mark !== undefined && workload.replicas > 0) {',
    tests: [unit('src/domain/hibernate'), matrix],
  },
  {
    name: "owner's zero raised",
    file: 'src/domain/restore/decide-restore.ts',
    find: "if (owner !== fieldManager) return none('zeroed-by-its-owner');",
    put: "if (owner === '') return none('zeroed-by-its-owner');",
    tests: [owners, seeds],
  },
  {
    name: 'lowered without its mark',
    file: 'src/adapters/cluster/workload-writer.ts',
    find: 'const mark = { [annotations.hibernatedReplicas]: String(count), ...this.#signature(workload, epoch) };',
    put: 'const mark = count < 0 ? { ...this.#signature(workload, epoch) } : {};',
    tests: [matrix],
  },
  {
    name: 'raised with its mark left on',
    file: 'src/adapters/cluster/workload-writer.ts',
    find: 'return this.#patch(workload, unmark(workload), () => count);',
    put: 'return this.#patch(workload, {}, () => count);',
    tests: [matrix],
  },
  {
    name: 'a recreated object gets the old count',
    file: 'src/domain/restore/decide-restore.ts',
    find: "  if (workload.uid !== record.uid) return none('recreated');\n",
    put: '',
    tests: [unit('src/domain/restore'), seeds],
  },
  {
    name: 'a stand-down stops nothing',
    file: 'src/domain/desired/hand-back-or-nothing.ts',
    find: "  if (standDown !== undefined) causes.push('stand_down');\n",
    put: '',
    tests: [standDown],
  },
  {
    name: 'dry run acts',
    file: 'src/domain/desired/desired-state.ts',
    find: 'acting: !dryRun,',
    put: 'acting: true,',
    tests: [cluster],
  },
  {
    name: 'records dropped before the restore was seen',
    file: 'src/controller/wake/course/finish-wake.ts',
    find: 'superseded ? records : withoutRecords(records, served)',
    put: 'superseded ? records : []',
    tests: [standDown, seeds],
  },
  {
    name: 'an excluded workload is taken down',
    file: 'src/domain/targeting/targeting.ts',
    find: '  if (!saysExclude(workload.annotations)) return undefined;',
    put: '  if (workload.annotations !== undefined) return undefined;',
    tests: [matrix],
  },
  {
    name: 'what left our scope stays down',
    file: 'src/domain/desired/wanted-up.ts',
    find: "return passing.has(skipped.code) ? 'leave' : 'up';",
    put: "return passing.has(skipped.code) ? 'leave' : 'leave';",
    tests: [owners],
  },
  {
    name: 'a CronJob that its owner suspended in the night is resumed',
    file: 'src/domain/restore/decide-restore.ts',
    find: 'return owner === fieldManager ? resume(workload, record.before)',
    put: "return owner !== '' ? { act: 'resume', workload: cronJob }",
    tests: [unit('src/domain/restore'), seeds],
  },
  {
    name: 'a full state holds up a wake',
    file: 'src/controller/pass/reconcile.ts',
    find: '    reportStateFull(context, error);\n    return bringUpUnrecorded(context);',
    put: '    throw error;',
    tests: [room],
  },
  {
    name: 'CronJobs all resume at once',
    file: 'src/controller/wake/course/resume-pace.ts',
    find: 'export const resumedTogether = 10;',
    put: 'export const resumedTogether = 1_000;',
    tests: [owners],
  },
  {
    name: 'a handback leaves the manual hibernation',
    file: 'src/controller/pass/hand-back.ts',
    find: '  if (manual !== null) await session.write(...withoutHibernation(session, manual));\n',
    put: '',
    tests: [standDown],
  },
  {
    name: 'a stand-down is told on every pass',
    file: 'src/controller/stops/keep-stand-down.ts',
    find: '[set(standDown, { ...state, unannounced: [] }), ...fence]',
    put: '[set(standDown, state), ...fence]',
    tests: [standDown],
  },
  {
    name: 'a write without an answer is sent again',
    file: 'src/adapters/kubernetes/client/retry-policy.ts',
    find: "return failure.mayHaveReachedServer ? undefined : 'the request was not sent';",
    put: "return 'the request was not sent';",
    tests: [unit('src/adapters/kubernetes/client/kube-client.test.ts')],
  },
  {
    name: 'a failed pass is not tried again',
    file: 'src/controller/loop/loop.ts',
    find: '      if (!aborter.signal.aborted) this.#requeueAt = this.#clock.now() + this.#retryDelay(error);\n',
    put: '      this.#retryDelay(error);\n      this.#requeueAt = undefined;\n',
    tests: [unit('src/controller/loop/loop.test.ts'), cluster],
  },
  {
    name: 'a silent watch is never noticed',
    file: 'src/adapters/kubernetes/client/silence-guard.ts',
    find: '    if (left > 0) {',
    put: '    if (left > 0 || this.#allowedMs > 0) {',
    tests: [unit('src/adapters/kubernetes/cache/reflector.test.ts'), seeds],
  },
  {
    name: 'an announcement that the audit log refused is forgotten',
    file: 'src/controller/announcements/audit-queue.ts',
    find: '    this.#waiting.push(...failed);',
    put: '    for (const { written } of failed) written();',
    tests: [matrix, seeds, announcements],
  },
  {
    name: 'lost records are not rebuilt',
    file: 'src/controller/upkeep/adopt-lost-records.ts',
    find: '  if (lost.length === 0) return;',
    put: '  if (lost.length >= 0) return;',
    tests: [owners],
  },
  {
    name: "a copy's mark is trusted",
    file: 'src/domain/record/mark.ts',
    find: 'return mark !== undefined && (mark.genuine || (recorded && namesNone)) ? mark : undefined;',
    put: 'return namesNone && !recorded ? undefined : mark;',
    tests: [owners],
  },
  {
    name: 'a cache whose watch failed is judged by',
    file: 'src/adapters/cluster/cluster-view.ts',
    find: 'return reflector?.isSynced === true && reflector.lastError === undefined;',
    put: 'return reflector?.isSynced === true;',
    tests: [unreadable],
  },
  {
    name: 'verdicts are filed before a watch that stumbled is back',
    file: 'src/controller/wake/course/advance-wake.ts',
    find: '  if (health.heldUntil !== undefined) {',
    put: '  if (health.heldUntil === null) {',
    tests: [unreadable],
  },
  {
    name: 'a tier does not wait for pods on their way out',
    file: 'src/domain/hibernate/decide-tier.ts',
    find: 'workload.statusReplicas > 0 || hasPods(workload)',
    put: 'workload.statusReplicas > 0',
    tests: [unit('src/domain/hibernate'), tiers],
  },
  {
    name: 'a recovery that was taken back is counted',
    file: 'src/controller/wake/course/finish-wake.ts',
    find: '  for (const { reason } of ending.recovered) metrics.recoveries.inc({ reason });',
    put: '  for (const { code } of Object.values(current.payload.wake.writeOffs)) metrics.recoveries.inc({ reason: code });',
    tests: [endings],
  },
  {
    name: 'the wake of a finished handback forgets its workloads',
    file: 'src/controller/pass/reconcile.ts',
    find: 'await bringUp({ ...context, desired, snapshot })',
    put: 'await bringUp({ ...context, desired })',
    tests: [standDown],
  },
  {
    name: 'two transitions of one millisecond have one name',
    file: 'src/controller/transition/transition.ts',
    find: 'random.bytes(4)',
    put: 'random.bytes(0)',
    tests: [cluster],
  },
  {
    name: 'volumes that scaling deletes are scaled',
    file: 'src/domain/targeting/targeting.ts',
    find: 'if (!isScalable(workload) || !workload.scalingDownDeletesVolumes) return undefined;',
    put: 'if (workload.kind !== undefined) return undefined;',
    tests: [owners],
  },
  {
    name: 'acts go on although the state has changed',
    file: 'src/controller/act/fence.ts',
    find: 'this.#holds = resourceVersion === this.#session.snapshot.resourceVersion;',
    put: 'this.#holds = resourceVersion !== "";',
    tests: [unit('src/controller/act/late-process.test.ts')],
  },
  {
    name: 'a pass that wrote something is not followed by another at once',
    file: 'src/controller/pass/run-pass.ts',
    find: '  if (staleness.stale) return clock.now();\n',
    put: '',
    tests: [unit('src/controller/snapshot/snapshot.test.ts')],
  },
  {
    name: 'a handback that has only now raised something is called finished or missing',
    file: 'src/controller/pass/hand-back.ts',
    find: '  if (signal.aborted || staleness.stale) return requeueAt;',
    put: '  if (signal.aborted) return requeueAt;',
    tests: [unit('src/controller/snapshot/snapshot.test.ts')],
  },
  {
    name: 'a finished handback stays finished',
    file: 'src/controller/stops/keep-stand-down.ts',
    find: '  if (down.length === 0) return state;',
    put: '  if (down.length >= 0) return state;',
    tests: [unit('src/controller/act/late-process.test.ts')],
  },
  {
    name: 'a life of the controller is not counted',
    file: 'src/controller/act/life.ts',
    find: 'if (this.#epoch === undefined || newest > this.#epoch) this.#epoch = nextEpoch(newest, this.#clock.now());',
    put: 'if (this.#epoch === undefined) this.#epoch = newest;',
    tests: [unit('src/controller/act/life.test.ts')],
  },
  {
    name: 'a refused write is hammered',
    file: 'src/domain/backoff/backoff.ts',
    find: 'const longestPauseMs = 30_000;',
    put: 'const longestPauseMs = 1_000;',
    tests: [unit('src/domain/backoff', 'src/controller/act/lasting-refusals.test.ts')],
  },
  {
    name: 'a refused raise is not tried again',
    file: 'src/controller/wake/course/raise-members.ts',
    find: '    if (restore === undefined) continue;',
    put: '    if (restore === undefined || payload.refused[key] !== undefined) continue;',
    tests: [unit('src/controller/act/lasting-refusals.test.ts')],
  },
  {
    name: 'what could not be lowered is forgotten',
    file: 'src/controller/hibernate/finish-hibernation.ts',
    find: '    return workload !== undefined && isDownByUs(workload) ? settled : { ...settled, provisional: true };',
    put: '    return settled;',
    tests: [unit('src/controller/act/lasting-refusals.test.ts')],
  },
  {
    name: 'a suspended CronJob is a success',
    file: 'src/domain/wake/ending.ts',
    find: '  if (cronJobs.length === 0) return lists;',
    put: '  if (cronJobs.length >= 0) return lists;',
    tests: [unit('src/controller/act/lasting-refusals.test.ts')],
  },
  {
    name: 'a stop does not interrupt the writes under way',
    file: 'src/controller/loop/loop.ts',
    find: "    this.#running?.abort(new Error('something changed that this pass may not know of'));\n",
    put: '',
    tests: [unit('src/controller/loop/loop.test.ts')],
  },
  {
    name: 'no fresh read after a conflict or a lost answer',
    file: 'src/controller/act/scaling.ts',
    find: '  else await readAnew(acting, act.workload);\n',
    put: '  else if (acting.signal.aborted) await readAnew(acting, act.workload);\n',
    tests: [shell],
  },
  {
    name: '429 counts as a final refusal',
    file: 'src/controller/act/scaling.ts',
    find: "const kind = status === 429 ? 'failed' : 'refused';",
    put: "const kind = status === 1_429 ? 'failed' : 'refused';",
    tests: [unit('src/controller/act/lasting-refusals.test.ts')],
  },
  {
    name: 'drift is decided on the cache without a fresh read',
    file: 'src/controller/upkeep/drift.ts',
    find: '  if (doubtful.length === 0) return { drifts: first, fresh };',
    put: '  if (doubtful.length >= 0) return { drifts: first, fresh };',
    tests: [shell],
  },
  {
    name: 'a raise in mid-hibernation is respected without being recorded',
    file: 'src/controller/hibernate/hibernate.ts',
    find: `    set(resourceStates, withRecords(recordsByKey(context.session), records)),
    set(transition, next),`,
    put: `    ...(records.length < 0 ? [set(resourceStates, withRecords(recordsByKey(context.session), records))] : []),
    set(transition, next),`,
    tests: [shell],
  },
  {
    name: 'a superseded wake drops served records',
    file: 'src/controller/wake/course/finish-wake.ts',
    find: 'superseded ? records : withoutRecords(records, served)',
    put: 'superseded ? withoutRecords(records, served) : withoutRecords(records, served)',
    tests: [shell],
  },
  {
    name: 'after a stand-down the old wake override is back',
    file: 'src/controller/stops/keep-stand-down.ts',
    find: '  if (before(session.get(wakeOverride))) edits.push(set(wakeOverride, null));\n',
    put: '',
    tests: [shell],
  },
  {
    name: 'a license stop forgets satellites',
    file: 'src/controller/beside/satellites.ts',
    find: 'for (let round = 0; round < mostRounds && !context.signal.aborted; round++) {',
    put: "for (let round = 0; round < mostRounds && !context.desired.causes.includes('license'); round++) {",
    tests: [shell],
  },
  {
    name: 'a license stop forgets autoscaler protection',
    file: 'src/controller/beside/autoscaler-protection.ts',
    find: '    if (session.get(autoscalerProtection) === null) return [];\n',
    put: "    if (session.get(autoscalerProtection) === null || context.desired.causes.includes('license')) return [];\n",
    tests: [shell],
  },
  {
    name: 'protection overwrites what others set',
    file: 'src/controller/beside/autoscaler-protection.ts',
    find: 'filter((name) => annotations[name] === undefined)',
    put: 'filter((name) => annotations[name] !== protection[name])',
    tests: [shell],
  },
  {
    name: 'a satellite without a right is waited for',
    file: 'src/controller/beside/satellites.ts',
    find: '    return this.#refused.rests(serviceKey(ref), act, clock.monotonic());',
    put: '    return this.#refused.rests(serviceKey(ref), act, clock.monotonic()) && false;',
    tests: [unit('src/controller/beside/refused-satellites.test.ts')],
  },
  {
    name: 'satellites are applied before their record',
    file: 'src/controller/beside/satellites.ts',
    find: "    await announce(context, ended, [set(satellites, sorted)], growing ? 'ordinary' : 'reserve');",
    put: `    for (const { subject, step } of steps) {
      if (step.act === 'record') await this.#apply(context, subject, { act: 'create-satellite', reason: step.reason });
      subject.rest = false;
    }
    await announce(context, ended, [set(satellites, sorted)], growing ? 'ordinary' : 'reserve');`,
    tests: [unit('src/controller/beside/satellites.test.ts'), shell],
  },
  {
    name: 'a lost state leaves stray satellites',
    file: 'src/controller/beside/satellites.ts',
    find: '  return snapshot.workloads.map(({ workload }) => serviceBehind(workload)).filter((ref) => ref !== undefined);',
    put: '  return snapshot.workloads.slice(0, 0).map(({ workload }) => serviceBehind(workload)).filter((ref) => ref !== undefined);',
    tests: [shell],
  },
  {
    name: 'sessions of other clusters run out an hour late',
    file: 'src/domain/externalwake/session.ts',
    find: '  return session.expiresAt > now;',
    put: '  return session.expiresAt + 3_600_000 > now;',
    tests: [unit('src/domain/externalwake')],
  },
  {
    name: 'the end of a session brings no pass',
    file: 'src/controller/pass/run-pass.ts',
    find: '    nextExpiry,\n    licenseEnds,',
    put: '    licenseEnds,',
    tests: [shell],
  },
  {
    name: 'what could not be read waits for the next look of the hour',
    file: 'src/controller/pass/run-pass.ts',
    find: '    memory.reads.dueAt,\n',
    put: '',
    tests: [unit('src/controller/upkeep/drift.test.ts')],
  },
  {
    name: 'a wake that cannot be noted is begun again',
    file: 'src/controller/wake/reconcile-awake.ts',
    find: 'const woken = noted || unnotedWake.holds(session);',
    put: 'const woken = noted;',
    tests: [unit('src/controller/pass/undecodable-state.test.ts')],
  },
  {
    name: 'a life counts itself without anything to take down',
    file: 'src/controller/act/scaling.ts',
    find: "if (due.some(({ act }) => act === 'lower' || act === 'suspend')) await",
    put: 'await',
    tests: [unit('src/controller/act/late-process.test.ts')],
  },
  {
    name: 'the end of a wake for another cluster is not told',
    file: 'src/controller/wake/course/finish-wake.ts',
    find: '    [...barriersIn(current, changes, at), wakeEnded({ ...current, ...namedIn(current), cronJobs }, ending)],',
    put: `    current.payload.part === undefined
      ? [...barriersIn(current, changes, at), wakeEnded({ ...current, ...namedIn(current), cronJobs }, ending)]
      : [],`,
    tests: [unit('src/controller/wake')],
  },
  {
    name: 'hosts are not waited for',
    file: 'src/controller/pass/reconcile.ts',
    find: '  if (waitUntil !== undefined) return waitUntil;\n',
    put: '',
    tests: [unit('src/controller/upkeep/external-dependencies.test.ts', 'src/adapters/external-wake')],
  },
  {
    name: 'dry run expires sessions and writes the outbox',
    file: 'src/controller/upkeep/external-sessions.ts',
    find: '  if (changes.length === 0 || compiled.config.operations.dryRun) return nextExpiry;',
    put: '  if (changes.length === 0 || compiled === undefined) return nextExpiry;',
    tests: [shell],
  },
  {
    name: "dry run writes the license's books",
    file: 'src/controller/stops/license.ts',
    find: 'if (config().operations.dryRun || (!store && told === check.acts)) return;',
    put: 'if (config() === undefined || (!store && told === check.acts)) return;',
    tests: [shell],
  },
  {
    name: 'hand-backs leave no audit entry',
    file: 'src/controller/upkeep/drift.ts',
    find: '...(back.length === 0 ? [] : [workloadsHandedBack(back, occasion(context))]),',
    put: '...(back.length >= 0 ? [] : [workloadsHandedBack(back, occasion(context))]),',
    tests: [owners],
  },
  {
    name: 'removals leave no audit entry',
    file: 'src/controller/upkeep/drift.ts',
    find: '...(gone.length === 0 ? [] : [workloadsGone(gone, occasion(context))]),',
    put: '...(gone.length >= 0 ? [] : [workloadsGone(gone, occasion(context))]),',
    tests: [owners],
  },
  {
    name: 'database starts leave no audit entry',
    file: 'src/controller/beside/database-steps.ts',
    find: 'await announce(context, [databaseStarted({ name, actor, at, toldAt })], [stateOf(context, name, undefined)]);',
    put: `const started = databaseStarted({ name, actor, at, toldAt });
  await announce(context, started === undefined ? [started] : [], [stateOf(context, name, undefined)]);`,
    tests: [unit('src/controller/beside/database-steps.test.ts'), shell],
  },
  {
    name: 'a workload that will not be raised is not alerted',
    file: 'src/controller/wake/repair.ts',
    find: '    context.conditions.holds(workloadWillNotScale(workload, message, now(context)));',
    put: '    workloadWillNotScale(workload, message, now(context));',
    tests: [['simulation', 'test/simulation/cards.test.ts'], shell],
  },
  {
    name: 'catch-up is not announced',
    file: 'src/controller/transition/begin-transition.ts',
    find: "const catchUp = started.trigger.cause === 'catch-up' ? [caughtUp(started)] : [];",
    put: "const catchUp = started.trigger.cause === '' ? [caughtUp(started)] : [];",
    tests: [cluster],
  },
  {
    name: 'maxConcurrentOperations is ignored',
    file: 'src/controller/act/scaling.ts',
    find: 'await inParallel(due, compiled.config.controller.maxConcurrentOperations, signal, async (act) => {',
    put: 'await inParallel(due, Math.max(1_000, compiled.wakeBarrierMs), signal, async (act) => {',
    tests: [shell],
  },
  {
    name: 'a stand-down update is not sent to the api',
    file: 'src/controller/stops/keep-stand-down.ts',
    find: "  frames.send({ kind: 'stand-down-update', payload: { standDown: standDownSummary(session.get(standDown)) } });",
    put: '  if (frames === undefined) standDownSummary(session.get(standDown));',
    tests: [standDown],
  },
  {
    name: 'uninstall says 0 though its time ran out',
    file: 'src/controller/stops/uninstall.ts',
    find: '  return 2;',
    put: '  return 0;',
    tests: [shell],
  },
  {
    name: 'the metric hibernated is stuck',
    file: 'src/controller/pass/measure.ts',
    find: "metrics.hibernated.set(state === 'hibernated' ? 1 : 0);",
    put: "if (state === 'hibernated') metrics.hibernated.set(1);",
    tests: [shell],
  },
  {
    name: 'what has no count that could be is called handed back',
    file: 'src/controller/wake/pending.ts',
    find: "if (restore === undefined || restore.act === 'none') return [];",
    put: "if (restore === undefined || restore.act === 'none' || restore.act === 'refuse') return [];",
    tests: [told],
  },
  {
    name: 'a restored cluster is watched from a version that is yet to come',
    file: 'src/adapters/kubernetes/cache/reflector.ts',
    find: "if (newest === undefined || newest === '' || isAtLeast(newest, known)) return;",
    put: "if (newest === undefined || newest !== '' || isAtLeast(newest, known)) return;",
    tests: [unit('src/adapters/kubernetes/cache/reflector.test.ts'), restored],
  },
  {
    name: 'a restored state is no news',
    file: 'src/adapters/cluster/config-map-state-store.ts',
    find: '      this.#known = undefined;\n      this.#heardMeanwhile',
    put: '      this.#heardMeanwhile',
    tests: [unit('src/adapters/cluster/config-map-state-store.test.ts'), restored],
  },
  {
    name: 'a CronJob that is put off brings pass after pass',
    file: 'src/controller/wake/course/raise-members.ts',
    find: 'return due === undefined ? undefined : Math.max(due, now(context) + resumeWait(context));',
    put: 'return due === undefined ? undefined : now(context) + resumeWait(context);',
    tests: [unit('src/controller/act/lasting-refusals.test.ts')],
  },
  {
    name: 'a removed domain keeps a known user signed in',
    file: 'src/api/sign-in/sign-in.ts',
    find: '    return allowed && clock.now() < user.expiresAt && ended === false;',
    put: '    return (allowed || true) && clock.now() < user.expiresAt && ended === false;',
    tests: [unit('src/api/sign-in', 'src/api/server', 'src/api/stream')],
  },
  {
    name: 'addresses in clear in the delivery log',
    file: 'src/domain/notification/destinations.ts',
    find: 'name: shownAddress(address, privacy), target: address',
    put: "name: shownAddress(address, privacy) === '' ? '' : address, target: address",
    tests: [unit('src/domain/notification/destinations.test.ts')],
  },
  {
    name: 'addresses in clear in the log of a failed mail',
    file: 'src/api/sign-in/sign-in.ts',
    find: 'error: withoutAddress(String(error), mail.to, to) });',
    put: "error: to === '' ? withoutAddress(String(error), mail.to, to) : String(error) });",
    tests: [unit('src/api/sign-in')],
  },
];
