import { Link } from '@mui/material';
import { createContext, use } from 'react';
import { helpRoute } from '../help/help-route.ts';

/** The document of the page that is shown, below `help`. */
export const HelpContext = createContext<string | undefined>(undefined);

/** Leads to the document of the page, which ships with the app; in a tab of its own, so that a half-filled form stays. */
export function HelpLink({ page }: { page?: string }) {
  const current = use(HelpContext);
  const place = page ?? current;
  if (place === undefined) return null;
  return (
    <Link href={`#${helpRoute}${place}`} target="_blank" rel="noopener" variant="body2" color="textSecondary">
      Help
    </Link>
  );
}
