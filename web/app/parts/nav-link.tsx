import { type LinkProps, Link as MuiLink } from '@mui/material';

/** A link inside the app. */
export function NavLink({ to, ...rest }: { to: string } & Omit<LinkProps, 'href'>) {
  return <MuiLink href={`#${to}`} {...rest} />;
}
