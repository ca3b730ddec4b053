import { Box, Button } from '@mui/material';
import { useState } from 'react';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';

const few = 6;

/** The first few; the rest when somebody asks. A line that begins with a workload leads to its page. */
export function LongList({ items }: { items: readonly string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, few);
  return (
    <>
      <Box
        component="ul"
        sx={{ m: 0, mt: 0.5, pl: 2.5, maxHeight: all ? 360 : 'none', overflow: 'auto', fontSize: 14 }}
        tabIndex={all ? 0 : undefined}
      >
        {shown.map((item) => (
          <li key={item}>
            <WorkloadSentence text={item} />
          </li>
        ))}
      </Box>
      {items.length > few ? (
        <Button size="small" color="inherit" onClick={() => setAll(!all)}>
          {all ? 'Show less' : `Show all ${items.length}`}
        </Button>
      ) : null}
    </>
  );
}
