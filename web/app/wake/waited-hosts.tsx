import { Alert } from '@mui/material';
import { ZonedTime } from '../parts/zoned-time.tsx';

interface Props {
  readonly hosts: readonly { readonly cluster: string; readonly until: string | number; readonly why?: string }[];
  readonly zone: string;
}

/** A wake that has yet to begin: whom it waits for, how long at most, and what is wrong there. */
export function WaitedHosts({ hosts, zone }: Props) {
  return hosts.map(({ cluster, until, why }) => (
    <Alert key={cluster} severity="info" data-testid="waited-host">
      Waiting for hosting cluster {cluster}, until <ZonedTime at={until} zone={zone} form="clock" /> at the latest; then
      the wake begins without it.{why === undefined ? '' : ` ${cluster}: ${why}`}
    </Alert>
  ));
}
