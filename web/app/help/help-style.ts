import type { SxProps, Theme } from '@mui/material';

/** Plain text pages: the same type as the app, wide things scroll by themselves, diagrams in the colors of the page. */
export const helpStyle: SxProps<Theme> = (theme) => ({
  '--page': (theme.vars ?? theme).palette.background.paper,
  '--ink': (theme.vars ?? theme).palette.text.primary,
  lineHeight: 1.6,
  overflowWrap: 'break-word',
  '& h2, & h3': { lineHeight: 1.25, mt: 4, mb: 1 },
  '& a': { color: 'primary.main' },
  '& code': { fontSize: '0.9em', bgcolor: 'action.hover', px: 0.5, borderRadius: 1 },
  '& pre': { bgcolor: 'action.hover', p: 2, borderRadius: 2, overflowX: 'auto' },
  '& pre code': { bgcolor: 'transparent', p: 0 },
  '& .wide': { overflowX: 'auto', my: 2, mx: 0 },
  '& table': { borderCollapse: 'collapse', minWidth: '100%' },
  '& th, & td': { textAlign: 'left', verticalAlign: 'top', py: 0.75, pr: 1.5, borderBottom: 1, borderColor: 'divider' },
  '& th': { color: 'text.secondary', fontWeight: 600 },
  '& img, & figure svg': { maxWidth: '100%', height: 'auto' },
});
