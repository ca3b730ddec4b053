import { describe, expect, it } from 'vitest';
import { withoutAddress } from './without-address.ts';

const without = (text: string) => withoutAddress(text, 'alice.w@example.com', 'a***@example.com');

describe('what a mail server says of an address that is not shown', () => {
  const rows = {
    '550 5.1.1 Unknown user: alice.w.': '550 5.1.1 Unknown user: a***.',
    '550 user alice.w. does not exist': '550 user a***. does not exist',
    '550 user.alice.w over quota': '550 user.a*** over quota',
    '550 mbox=alice.w_home': '550 mbox=a***_home',
    '550 /home/alice.w/Maildir': '550 /home/a***/Maildir',
    '550 ALICE.W@EXAMPLE.COM.': '550 a***@example.com.',
    '550 <alice.w+tag>': '550 <a***+tag>',
    '550 https://mx.example/?u=alice%2Ew%40example.com': '550 https://mx.example/?u=a***@example.com',
    '550 https://mx.example/?u=%3Calice%2ew%3E': '550 https://mx.example/?u=%3Ca***%3E',
    '550 alice=2Ew=40example.com': '550 a***@example.com',
    '550 malice.ws is somebody else': '550 malice.ws is somebody else',
  };
  for (const [said, logged] of Object.entries(rows)) {
    it(`is logged without it: ${said}`, () => expect(without(said)).toBe(logged));
  }

  it('keeps the domain, even where the local part is named as it is', () => {
    expect(withoutAddress('no <example@example.com>', 'example@example.com', 'e***@example.com')).toBe(
      'no <e***@example.com>',
    );
  });

  it('is told as it is where addresses are shown', () => {
    expect(withoutAddress('no a.b@c.d', 'a.b@c.d', 'a.b@c.d')).toBe('no a.b@c.d');
  });

  it('knows letters beyond ASCII, however they are encoded', () => {
    const said = 'no jürgen, no j%C3%BCrgen@example.com';
    expect(withoutAddress(said, 'jürgen@example.com', 'j***@example.com')).toBe('no j***, no j***@example.com');
  });
});
