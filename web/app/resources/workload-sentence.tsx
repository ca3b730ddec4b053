import { NavLink } from '../parts/nav-link.tsx';
import { useUser } from '../session/session-context.tsx';
import { beginsWith, workloadAddress } from './workload-name.ts';

/** A sentence of the controller; the workload it begins with is the way to its page. */
export function WorkloadSentence({ text }: { text: string }) {
  const admin = useUser()?.admin === true;
  const found = beginsWith(text);
  if (found === undefined || !admin) return <>{text}</>;
  const { workload, rest } = found;
  return (
    <>
      {/* In a list of nothing but such links each is 24 pixels high: WCAG 2.5.8. */}
      <NavLink
        to={workloadAddress(workload)}
        color="inherit"
        sx={{ display: 'inline-block', minHeight: 24, overflowWrap: 'anywhere', verticalAlign: 'top' }}
      >
        {workload.kind} {workload.namespace}/{workload.name}
      </NavLink>
      {rest}
    </>
  );
}
