import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { stringify } from 'yaml';
import { provision } from '../../../tools/provision/provision.ts';
import { type CommandResult, runCommand } from '../../../tools/provision/run-command.ts';

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What one moment of a test expects of one alert: the labels of those that fire. */
export interface Moment {
  readonly at: string;
  readonly alert: string;
  readonly firing: readonly Readonly<Record<string, string>>[];
}

export interface AlertTest {
  readonly name: string;
  /** Series in promtool's notation, a sample a minute. */
  readonly series: Readonly<Record<string, string>>;
  readonly moments: readonly Moment[];
}

const folder = mkdtempSync(join(tmpdir(), 'svc-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

function rulesFile(rules: readonly Rule[]): string {
  const path = join(folder, `rules-${files++}.yaml`);
  writeFileSync(path, stringify({ groups: [{ name: 'svc', rules }] }));
  return path;
}

/** Whether each expression is one that Prometheus understands. */
export async function checkExpressions(expressions: readonly string[]): Promise<CommandResult> {
  const path = join(folder, 'expressions.yaml');
  const rules = expressions.map((expr, index) => ({ record: `panel:expression:${index}`, expr }));
  writeFileSync(path, stringify({ groups: [{ name: 'expressions', rules }] }));
  return runCommand(await provision('promtool'), ['check', 'rules', path]);
}

export async function checkRules(rules: readonly Rule[]): Promise<CommandResult> {
  return runCommand(await provision('promtool'), ['check', 'rules', '--lint-fatal', rulesFile(rules)]);
}

/** Runs all tests in one go; the output names those that failed. */
export async function testRules(
  rules: readonly Rule[],
  tests: readonly AlertTest[],
  evaluated = '1m',
): Promise<CommandResult> {
  const annotationsOf = (alert: string) => rules.find((rule) => rule.alert === alert)?.annotations ?? {};
  const path = join(folder, `tests-${files++}.yaml`);
  const text = stringify({
    rule_files: [rulesFile(rules)],
    evaluation_interval: evaluated,
    tests: tests.map(({ name, series, moments }) => ({
      name,
      interval: '1m',
      input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
      alert_rule_test: moments.map(({ at, alert, firing }) => ({
        eval_time: at,
        alertname: alert,
        exp_alerts: firing.map((labels) => ({ exp_labels: labels, exp_annotations: annotationsOf(alert) })),
      })),
    })),
  });
  writeFileSync(path, text);
  return runCommand(await provision('promtool'), ['test', 'rules', path]);
}
