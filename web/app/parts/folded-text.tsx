import { Box, Button } from '@mui/material';
import { useState } from 'react';

const few = 4;

/** A value as it was written; of a long one the first lines, the rest when somebody asks. */
export function FoldedText({ text, inline = false }: { text: string; inline?: boolean }) {
  const [all, setAll] = useState(false);
  const lines = text.split('\n');
  const long = lines.length > few + 1;
  const shown = all || !long ? text : lines.slice(0, few).join('\n');
  const look = {
    m: 0,
    my: inline ? 0 : 0.25,
    fontFamily: 'monospace',
    fontSize: 14,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  } as const;
  if (inline && lines.length === 1) {
    return (
      <Box component="code" sx={look}>
        {text}
      </Box>
    );
  }
  return (
    <>
      <Box component="pre" sx={look}>
        {shown}
      </Box>
      {long ? (
        <Button size="small" color="inherit" aria-expanded={all} onClick={() => setAll(!all)} sx={{ mt: 0.25 }}>
          {all ? 'Show less' : `Show all ${lines.length} lines`}
        </Button>
      ) : null}
    </>
  );
}
