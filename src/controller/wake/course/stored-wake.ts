import { targetText } from '../../../domain/externalwake/session.ts';
import type { StateSession } from '../../../state/session/state-session.ts';
import { set } from '../../../state/snapshot.ts';
import { transition, type Wake, type WakePayload } from '../../transition/transition.ts';

/** The running wake with another payload, as the state has it from now on. */
export async function saveWake(
  { session }: { readonly session: StateSession },
  current: Wake,
  payload: WakePayload,
): Promise<Wake> {
  const next: Wake = { ...current, payload };
  await session.write(set(transition, next));
  return next;
}

/** What the wake is about, in words, when it is not the whole cluster. */
export function namedIn({ payload }: Wake): { readonly resources?: readonly string[] } {
  return payload.part === undefined ? {} : { resources: payload.part.map(targetText) };
}
