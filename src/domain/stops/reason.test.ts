import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReason } from './reason.ts';

const anyCharacter = fc.nat(0x2fff).map((code) => String.fromCodePoint(code));

describe('a reason', () => {
  it('may be left out, or be blank', () => {
    expect(checkReason(undefined)).toEqual({ ok: true });
    expect(checkReason(' \n ')).toEqual({ ok: true });
  });

  const fine: Record<string, string> = {
    'release 2.0': 'release 2.0',
    '  two\r\nlines\t here ': 'two lines here',
    'hid\u200bden\u202e marks\u0007': 'hidden marks',
    'payments.example.com is down': 'payments.example.com is down',
    'see deployment.apps/web': 'see deployment.apps/web',
    'cronjob.batch/report keeps firing': 'cronjob.batch/report keeps firing',
    'node.js upgrade, v1.2.3/v1.2.4': 'node.js upgrade, v1.2.3/v1.2.4',
    'shop/cart and/or shop/web': 'shop/cart and/or shop/web',
    'network 10.0.0.0/8 is gone': 'network 10.0.0.0/8 is gone',
    'ratio 3:1, at 08:30': 'ratio 3:1, at 08:30',
    'ask ada@example.com': 'ask ada@example.com',
    'Note: data loss': 'Note: data loss',
    'http: 502 from the shop': 'http: 502 from the shop',
    'https: certificate expired': 'https: certificate expired',
    'http:502 since noon': 'http:502 since noon',
    'node 10.0.0.7 is gone': 'node 10.0.0.7 is gone',
    'postgres 16.1.2.3: slow': 'postgres 16.1.2.3: slow',
    'upgrade [urgent] (see the plan)': 'upgrade [urgent] (see the plan)',
    'shop[0](cart) fails': 'shop[0](cart) fails',
    'domain\\\\ada asked': 'domain\\\\ada asked',
    'note:text without a space': 'note:text without a space',
    'at 10:30, ratio 3:1': 'at 10:30, ratio 3:1',
    'svc:latest does not start': 'svc:latest does not start',
    'postgres:16.1 is slow': 'postgres:16.1 is slow',
    'shop/web:v1.2.3 rolled back': 'shop/web:v1.2.3 rolled back',
    'owner:ada, team:shop': 'owner:ada, team:shop',
    'sha256:0f3a is broken': 'sha256:0f3a is broken',
    'system:node:worker-1 is gone': 'system:node:worker-1 is gone',
    'arn:aws:rds:eu:1:db': 'arn:aws:rds:eu:1:db',
    'metadata:labels are wrong': 'metadata:labels are wrong',
    'hotel:booking, profile:new': 'hotel:booking, profile:new',
    'file: gone, data: lost, tel: 5 5': 'file: gone, data: lost, tel: 5 5',
    'why:? ask': 'why:? ask',
    'Zoom: call at 9': 'Zoom: call at 9',
    'c:d, std::map': 'c:d, std::map',
    '移行中。請確認': '移行中。請確認',
    '停止しました。あとで/または明日': '停止しました。あとで/または明日',
    'メンテナンス。担当 ada': 'メンテナンス。担当 ada',
    '升级完成。see the plan': '升级完成。see the plan',
    [`${'😀'.repeat(50)}`]: '😀'.repeat(50),
  };
  for (const [text, reason] of Object.entries(fine)) {
    it(`may be ${JSON.stringify(text).slice(0, 50)}`, () => expect(checkReason(text)).toEqual({ ok: true, reason }));
  }

  const urls = [
    'https://example.com/x',
    'see http://evil',
    'HTTPS://EXAMPLE.COM',
    'ftp://files',
    'x (slack://open)',
    'go to www.example.com',
    'WWW.example.com',
    'example.com/incident/7',
    'look:example.com/x',
    'status.example.io?id=1',
    'example.com:8080',
    'localhost:3000',
    'localhost/admin',
    '10.0.0.1/admin',
    '10.0.0.1:80/admin',
    '//evil.example',
    '[click](//evil.example)',
    'mailto:ada@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'ｈｔｔｐｓ：／／example.com',
    'ht\u200btps://example.com',
    'bücher.example/x',
    'http:evil.com',
    'see HTTPS:evil.com',
    'http:/evil.com',
    'http:localhost',
    'ftp:files.example',
    'https:\\\\evil.com',
    'https:\\evil.com',
    '\\\\evil.com',
    'evil.com\\x',
    '1.2.3.4:8080',
    'go to (1.2.3.4:80)',
    '[::1]:8080',
    '[2001:db8::1]/x',
    '[x](evil.com)',
    '[click me] (evil.com)',
    'http:1.2.3.4',
    '[x](/act)',
    '[x]( evil.com "title")',
    '<evil.com|click>',
    '<evil.com>',
    'http:2130706433',
    'http:%65vil.com',
    '[x](1.2.3.4)',
    '[x](localhost)',
    '//10.0.0.1',
    '<a href=evil.com>',
    'evil。com/x',
    'evil｡com/x',
    'evil．com/x',
    'evil․com/x',
    'evil﹒com/x',
    'www。evil。com',
    '例え。com/x',
    '例え。中国/x',
    '[x](evil。com)',
    '<evil。com>',
    'evil。com:8080',
    '10。0。0。1/admin',
    'https:evil。com',
    'evil.co\ufe0fm/x',
    'e\u034fvil.com/x',
    'callto:ada',
    'callto:+15551234',
    'see (callto:ada)',
    'magnet:?xt=urn:btih:1',
    'stratum:?x=1',
    'tel:+15551234',
    'tel:112',
    'sms:112',
    'sms:+1?body=x',
    'smsto:112',
    'facetime:ada@example.com',
    'skype:ada?call',
    'sip:ada@example.com',
    'xmpp:ada@example.com',
    'whatsapp:send?text=x',
    'tg:resolve?domain=x',
    'slack://open',
    'slack:open',
    'vscode://file/x',
    'vscode:extension/x',
    'ms-word:ofe|u|x',
    'msteams:/l/x',
    'zoommtg:join?x',
    'webcal:example.com',
    'geo:37.7,-122.4',
    'market:details?id=x',
    'intent:#Intent;end',
    'about:blank',
    'view-source:x',
    'blob:null/1',
    'bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    'web+svc:x',
    'ＭＡＩＬＴＯ：ada@example.com',
    'mail\u200bto:ada@example.com',
  ];
  for (const text of urls) {
    it(`must not be ${JSON.stringify(text)}`, () =>
      expect(checkReason(text)).toEqual({
        ok: false,
        status: 400,
        code: 'reason_contains_url',
        message: 'The reason must not contain a URL.',
      }));
  }

  it('has at most 50 characters, counted as people count them', () => {
    expect(checkReason('x'.repeat(50)).ok).toBe(true);
    expect(checkReason('😀'.repeat(51))).toEqual({
      ok: false,
      status: 400,
      code: 'reason_too_long',
      message: 'The reason has 51 characters; at most 50 are allowed.',
    });
  });

  it('is checked in a blink, and what passes once passes again unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        const checked = checkReason(text);
        if (checked.ok) expect(checkReason(checked.reason)).toEqual(checked);
      }),
    );
    expect(checkReason(`${'a.'.repeat(100_000)}/`).ok).toBe(false);
  });
});
