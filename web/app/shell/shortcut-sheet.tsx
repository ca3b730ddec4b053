import { Box, Dialog, DialogContent, DialogTitle } from '@mui/material';
import { type Fact, Facts } from '../parts/facts.tsx';
import { pages } from './pages.ts';
import { goKeys } from './use-shortcuts.ts';

export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const facts: Fact[] = [
    ['Find a page, an act, a workload or a setting', <Keys key="k" keys={['Ctrl', 'K']} />],
    ['This sheet', <Keys key="q" keys={['?']} />],
    ...Object.entries(goKeys).map(
      ([key, path]): Fact => [
        pages.find((page) => page.path === path)?.title ?? path,
        <Keys key={key} keys={['g', key]} />,
      ],
    ),
    ['Close a dialog', <Keys key="e" keys={['Esc']} />],
  ];
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="keys-title" maxWidth="xs">
      <DialogTitle id="keys-title">Keys</DialogTitle>
      <DialogContent>
        <Facts facts={facts} />
      </DialogContent>
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <>
      {keys.map((key) => (
        <Box
          key={key}
          component="kbd"
          sx={{ border: 1, borderColor: 'divider', borderRadius: 1, px: 0.75, py: 0.25, mr: 0.5, fontSize: 13 }}
        >
          {key}
        </Box>
      ))}
    </>
  );
}
