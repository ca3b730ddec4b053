import { describe, expect, it } from 'vitest';
import { type AskedCode, type CodeRank, WaitingCodes } from './waiting-codes.ts';

const asked = (to: string, rank: CodeRank = 'company', client = 'ingress'): AskedCode => ({ to, rank, client });

/** In which order they go out. */
function order(codes: WaitingCodes<AskedCode>): readonly string[] {
  const out: string[] = [];
  for (let next = codes.next(); next !== undefined; next = codes.next()) out.push(next.to);
  return out;
}

function waiting(most: number, ...all: readonly AskedCode[]): WaitingCodes<AskedCode> {
  const codes = new WaitingCodes<AskedCode>(most);
  for (const one of all) codes.put(one);
  return codes;
}

describe('codes that wait for the mail server', () => {
  it('go out by whom they are for: who has proved it, then the company, then others; who asks again before who does not', () => {
    const codes = waiting(
      10,
      asked('outsider', 'outside'),
      asked('insistent outsider', 'outside-again'),
      asked('invented'),
      asked('colleague', 'company-again'),
      asked('admin', 'proved'),
    );
    expect(order(codes)).toEqual(['admin', 'colleague', 'invented', 'insistent outsider', 'outsider']);
  });

  it('are one an address: a newer one takes its place, and where asking again counts for more, that of those who ask again', () => {
    const codes = waiting(10, asked('a'), asked('b'), asked('c'));
    const first = codes.put(asked('a'));
    expect([first?.to, codes.size]).toEqual(['a', 3]);
    codes.put(asked('c', 'company-again'));
    // A stranger who asks for it as if for the first time sets it back by nothing.
    codes.put(asked('c'));
    expect(order(codes)).toEqual(['c', 'a', 'b']);
  });

  it('let clients take turns: many of one keep no other waiting, nor does who asks in his name', () => {
    const codes = waiting(20, ...['s0', 's1', 's2', 's3'].map((to) => asked(to, 'company', 'stranger')));
    codes.put(asked('a', 'company', 'one'));
    codes.put(asked('b', 'company', 'other'));
    codes.put(asked('a', 'company', 'stranger'));
    codes.put(asked('s3', 'company', 'third'));
    expect(order(codes)).toEqual(['s0', 'a', 'b', 's3', 's1', 's2']);
  });

  it('beyond what there is room for, are not sent: the oldest of the lowest rank, of the client that has the most', () => {
    const codes = waiting(
      4,
      asked('admin', 'proved'),
      asked('s0'),
      asked('s1'),
      asked('other', 'company', 'elsewhere'),
    );
    expect(codes.put(asked('s2'))?.to).toBe('s0');
    expect(codes.put(asked('outsider', 'outside'))?.to).toBe('outsider');
    expect(codes.put(asked('again', 'company-again'))?.to).toBe('s1');
    expect(order(codes)).toEqual(['admin', 'again', 's2', 'other']);
  });
});
