import { Box } from '@mui/material';

/** A line to type in a terminal. */
export function Command({ text }: { text: string }) {
  return (
    <Box
      component="pre"
      tabIndex={0}
      sx={{
        m: 0,
        p: 1.25,
        borderRadius: 1,
        bgcolor: 'background.default',
        color: 'text.primary',
        overflowX: 'auto',
        fontSize: 13,
      }}
    >
      <code>{text}</code>
    </Box>
  );
}
