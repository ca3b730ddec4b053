import { type StandDownTrigger, stepStandDown } from '../../domain/stops/begin-or-end-stand-down.ts';
import { checkReason } from '../../domain/stops/reason.ts';
import { standDownSummary } from '../../domain/stops/stand-down-state.ts';
import { epochPassed } from '../../state/epoch.ts';
import { set } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { type Handlers, signedIn } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { Refusal } from '../call/refusal.ts';
import type { Intents } from '../state/intents.ts';
import { need } from '../state/managed-state.ts';

/** The emergency stop asks for nothing but its own key: it works while every other value is spoilt. */
export function standDownHandlers(ports: ApiPorts, intents: Intents): Pick<Handlers, 'standDown' | 'endStandDown'> {
  const step = (trigger: StandDownTrigger) => {
    const changeId = `admin-${Buffer.from(ports.random.bytes(9)).toString('base64url')}`;
    return intents.write((snapshot) => {
      const at = ports.clock.now();
      const context = { at, changeId };
      const { state, refusal } = stepStandDown(need(snapshot, standDown), trigger, context);
      if (refusal !== undefined) throw new Refusal(refusal.code, refusal.message);
      const fence = trigger.type === 'admin-stands-down' ? [epochPassed(snapshot, at)] : [];
      return {
        edits: [set(standDown, state), ...fence],
        answer: { standDown: standDownSummary(state) },
        room: 'reserve',
      };
    });
  };
  return {
    async standDown(call) {
      const { shown } = signedIn(call);
      const checked = checkReason(call.body?.reason);
      if (!checked.ok) throw new Refusal(checked.code, checked.message);
      const reason = checked.reason === undefined ? {} : { reason: checked.reason };
      return step({ type: 'admin-stands-down', actor: shown, ...reason });
    },
    async endStandDown(call) {
      return step({ type: 'admin-ends', actor: signedIn(call).shown });
    },
  };
}
