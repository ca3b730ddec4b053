import { Box, Button, Collapse, Typography } from '@mui/material';
import { useState } from 'react';
import type { Formula } from './report.ts';

/** How the figures come about, one click away. */
export function FormulaList({ formulas }: { formulas: readonly Formula[] }) {
  const [open, setOpen] = useState(false);
  if (formulas.length === 0) return null;
  return (
    <Box>
      <Button size="small" onClick={() => setOpen(!open)} aria-expanded={open}>
        {open ? 'Hide the formulas' : 'How is this computed?'}
      </Button>
      <Collapse in={open} unmountOnExit>
        <Box component="dl" sx={{ m: 0, mt: 1 }}>
          {formulas.map(({ label, expression }) => (
            <Box key={label} sx={{ mb: 1 }}>
              <Typography component="dt" sx={{ fontWeight: 600 }}>
                {label}
              </Typography>
              <Box component="dd" sx={{ m: 0 }}>
                <code>{expression}</code>
              </Box>
            </Box>
          ))}
        </Box>
      </Collapse>
    </Box>
  );
}
