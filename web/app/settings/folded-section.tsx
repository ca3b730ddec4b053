import { Box, ButtonBase, Typography } from '@mui/material';
import { type ReactNode, useId } from 'react';
import { ChevronIcon } from '../icons.tsx';

interface Props {
  readonly title: string;
  readonly note: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A line that opens; what is inside is not drawn before. */
export function FoldedSection({ title, note, open, onToggle, children }: Props) {
  const id = useId();
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="h3" component="h3" sx={{ m: 0 }}>
        <ButtonBase
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          sx={{
            width: '100%',
            justifyContent: 'flex-start',
            gap: 1.5,
            px: { xs: 2, sm: 2.5 },
            py: 1.5,
            font: 'inherit',
            textAlign: 'left',
            '&:hover': { bgcolor: 'action.hover' },
            // Outside it would be cut off by the edge of the section.
            '&.Mui-focusVisible': { outlineOffset: '-3px' },
          }}
        >
          <ChevronIcon sx={{ transform: open ? 'rotate(90deg)' : 'none', color: 'text.secondary' }} />
          <span>{title}</span>
          <Typography component="span" variant="body2" color="textSecondary" sx={{ ml: 'auto' }}>
            {note}
          </Typography>
        </ButtonBase>
      </Typography>
      <Box id={id} hidden={!open} sx={{ px: { xs: 2, sm: 2.5 }, pb: 2.5 }}>
        {open ? children : null}
      </Box>
    </Box>
  );
}
