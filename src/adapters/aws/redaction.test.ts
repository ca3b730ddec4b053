import { describe, expect, it } from 'vitest';
import { redacted, redactedHeaders } from './redaction.ts';

const credentials = {
  accessKeyId: 'AKIACANARYCANARY0001',
  secretAccessKey: 'canary/secret+key=0123456789',
  sessionToken: 'canary-token==',
};

describe('redacted', () => {
  const rows: Record<string, [string, string]> = {
    'keeps the scope of a signature and hides the rest': [
      'AWS4-HMAC-SHA256 Credential=AKIAOTHER/20260101/eu-central-1/rds/aws4_request, SignedHeaders=host;x-amz-date, Signature=abc123',
      'AWS4-HMAC-SHA256 Credential=[redacted]/20260101/eu-central-1/rds/aws4_request, SignedHeaders=host;x-amz-date, Signature=[redacted]',
    ],
    'hides passwords in a form': [
      'Action=CreateDBInstance&MasterUserPassword=hunter22&Engine=postgres',
      'Action=CreateDBInstance&MasterUserPassword=[redacted]&Engine=postgres',
    ],
    'hides passwords and tokens in JSON, escapes included': [
      '{"MasterUserPassword":"a\\"b","SessionToken":"t","Engine":"postgres"}',
      '{"MasterUserPassword":"[redacted]","SessionToken":"[redacted]","Engine":"postgres"}',
    ],
    'hides the credentials themselves wherever they stand': [
      `key ${credentials.accessKeyId} secret ${credentials.secretAccessKey} token ${credentials.sessionToken}`,
      'key [redacted] secret [redacted] token [redacted]',
    ],
    'hides them percent-encoded too': [`a=${encodeURIComponent(credentials.secretAccessKey)}&b=1`, 'a=[redacted]&b=1'],
    'hides who signs in at an address': ['via http://user:pass@proxy:3128/x', 'via http://[redacted]@proxy:3128/x'],
    'hides a presigned query': [
      'https://x/?X-Amz-Signature=ab&X-Amz-Credential=AK%2F1&y=2',
      'https://x/?X-Amz-Signature=[redacted]&X-Amz-Credential=[redacted]&y=2',
    ],
    'leaves everything else': [
      'Action=DescribeDBInstances&Version=2014-10-31',
      'Action=DescribeDBInstances&Version=2014-10-31',
    ],
  };
  for (const [sentence, [text, expected]] of Object.entries(rows)) {
    it(sentence, () => expect(redacted(text, credentials)).toBe(expected));
  }
});

describe('redactedHeaders', () => {
  it('hides tokens and every sign-in but the shown part of a signature, known or not', () => {
    expect(
      redactedHeaders({
        'X-Amz-Security-Token': 'another-token',
        'proxy-authorization': 'Basic dXNlcjpwYXNz',
        authorization: 'Bearer eyJhbGciOi',
        host: 'rds.eu-central-1.amazonaws.com',
      }),
    ).toEqual({
      'X-Amz-Security-Token': '[redacted]',
      'proxy-authorization': '[redacted]',
      authorization: '[redacted]',
      host: 'rds.eu-central-1.amazonaws.com',
    });
  });
});
