import { describe, expect, it } from 'vitest';
import { formatConfigErrors } from './config-error.ts';
import { parseConfigText } from './parse-config-text.ts';

const head = 'clusterName: dev\nexternalUrl: https://svc.example.com\n';

function failure(text: string): string {
  const result = parseConfigText(text);
  return result.ok ? 'accepted' : formatConfigErrors(result.errors);
}

describe('parseConfigText', () => {
  it('reads what the chart writes', () => {
    const result = parseConfigText(`${head}workingHours:\n  schedule:\n    saturday: "on"\n    sunday: off\n`);
    expect(result.ok && result.config.workingHours.schedule).toMatchObject({ saturday: 'on', sunday: 'off' });
  });

  const rows: Record<string, [text: string, message: string]> = {
    'a wrong value at the line of its key': [
      `${head}operations:\n  logLevel: loud\n`,
      'operations.logLevel (line 4, column 3): must be one of debug, info, warn, error, not "loud"',
    ],
    'a wrong entry at its own line': [
      `${head}auth:\n  adminUsers:\n    - a@b.c\n    - nobody\n`,
      'auth.adminUsers[1] (line 6, column 7): "nobody" is not a mail address such as ops@example.com',
    ],
    'a missing key at what should hold it': [
      `${head}resourceRules:\n  neverScale:\n    - name: redis\n`,
      'resourceRules.neverScale[0].namespace (line 5, column 7): is required: Namespace, or a pattern of namespaces.',
    ],
    'a missing key of the document without a line': [
      'clusterName: dev\n',
      "externalUrl: is required: The instance's own address, to which requests for foreign hosts are redirected.",
    ],
    'a rule between fields at the line of the field': [
      `${head}awsCosts: {enabled: true, tagValue: ""}\n`,
      'awsCosts.tagValue (line 3, column 27): is required while awsCosts.enabled is true',
    ],
    'several errors, one a line': [
      `${head}smtp: {port: 0, host: "a b"}\n`,
      '2 errors\n  smtp.host (line 3, column 17): "a b" is not a host name such as mail.example.com\n  smtp.port (line 3, column 8): must be from 1 to 65535, not 0',
    ],
    'a key written twice': [
      `${head}clusterName: prod\n`,
      'line 3, column 1: the YAML cannot be read: Map keys must be unique',
    ],
    'a tab for indentation': [
      `${head}smtp:\n\tport: 25\n`,
      'line 4, column 1: the YAML cannot be read: Tabs are not allowed as indentation',
    ],
    'a second document': [
      `${head}---\na: b\n`,
      'line 3, column 1: the YAML cannot be read: Source contains multiple documents; please use YAML.parseAllDocuments()',
    ],
  };
  it.each(Object.entries(rows))('says where %s is', (_name, [text, message]) => {
    expect(failure(text)).toBe(message);
  });

  it('refuses aliases that multiply beyond reason instead of unfolding them', () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `l${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(', ')}]`,
    );
    expect(failure(`l0: &l0 [x]\n${levels.join('\n')}\n`)).toMatch(/^the YAML cannot be read: Excessive alias count/);
  });

  it.each(['', '# nothing yet\n', '---\n'])('asks an empty text (%j) for what is required', (text) => {
    const result = parseConfigText(text);
    expect(result.ok ? [] : result.errors.map(({ path }) => path)).toEqual(['clusterName', 'externalUrl']);
  });
});
