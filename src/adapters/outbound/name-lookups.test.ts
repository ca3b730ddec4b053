import { expect, it } from 'vitest';
import { NameLookups } from './name-lookups.ts';

/** A resolver that answers when it is told to, and what it was asked. */
function lookups() {
  const asked: { readonly host: string; readonly answer: PromiseWithResolvers<readonly string[]> }[] = [];
  const time = { ms: 0 };
  const names = new NameLookups({
    monotonic: () => time.ms,
    resolve: (host) => {
      const answer = Promise.withResolvers<readonly string[]>();
      asked.push({ host, answer });
      return answer.promise;
    },
  });
  return { names, asked, time };
}

it('asks once for all who want the same name at the same time', async () => {
  const { names, asked } = lookups();
  const wanted = Array.from({ length: 50 }, () => names.addresses('hooks.example.net'));
  const other = names.addresses('other.example.net');
  expect(asked.map(({ host }) => host)).toEqual(['hooks.example.net', 'other.example.net']);
  asked[0]!.answer.resolve(['192.0.2.1']);
  asked[1]!.answer.resolve(['192.0.2.2']);
  expect(new Set((await Promise.all(wanted)).flat())).toEqual(new Set(['192.0.2.1']));
  expect(await other).toEqual(['192.0.2.2']);
});

it('asks nothing else while a name server is slow to answer', () => {
  const { names, asked, time } = lookups();
  void names.addresses('hooks.example.net');
  time.ms = 60_000;
  void names.addresses('hooks.example.net');
  expect(asked).toHaveLength(1);
});

it('takes an answer for a moment, then asks again', async () => {
  const { names, asked, time } = lookups();
  const first = names.addresses('hooks.example.net');
  asked[0]!.answer.resolve(['192.0.2.1']);
  await first;
  time.ms = 899;
  expect(await names.addresses('hooks.example.net')).toEqual(['192.0.2.1']);
  time.ms = 900;
  const second = names.addresses('hooks.example.net');
  asked[1]!.answer.resolve(['192.0.2.9']);
  expect(await second).toEqual(['192.0.2.9']);
});

it('asks again before the next try of a delivery, when a name could not be resolved', async () => {
  const { names, asked, time } = lookups();
  const first = names.addresses('hooks.example.net');
  asked[0]!.answer.reject(new Error('ENOTFOUND'));
  await expect(first).rejects.toThrow('ENOTFOUND');
  time.ms = 1_000;
  const second = names.addresses('hooks.example.net');
  asked[1]!.answer.resolve(['192.0.2.1']);
  expect(await second).toEqual(['192.0.2.1']);
});
