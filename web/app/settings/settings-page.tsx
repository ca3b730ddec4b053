import { Alert, Box, Chip, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useSettings } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { NativeChoice } from '../parts/native-choice.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { groupSettings, settingText } from './grouping.ts';

type Settings = AnswerOf<'settings'>;

export function SettingsPage() {
  const settings = useSettings();
  return (
    <Page
      title="Settings"
      lead="Each value in force and where it comes from. Values are changed in the chart's values file."
    >
      <Answer of={settings} lines={10}>
        {(value) => <SettingsView settings={value} />}
      </Answer>
    </Page>
  );
}

function SettingsView({ settings: { settings, refused } }: { settings: Settings }) {
  const [text, setText] = useState('');
  const [source, setSource] = useState('');
  const groups = groupSettings(settings, text, source);
  return (
    <Stack spacing={3}>
      {refused === null ? null : (
        <Alert severity="error">
          The newest configuration was refused, and the one before it is in force: {refused}
        </Alert>
      )}
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }} role="search" aria-label="Filters">
        <TextField
          label="Find a setting"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          sx={{ flex: 1, minWidth: 220 }}
        />
        <NativeChoice
          label="Source"
          value={source}
          options={['configured', 'default']}
          onChange={setSource}
          sx={{ minWidth: 160 }}
        />
      </Stack>
      {groups.length === 0 ? <Empty title="No setting fits" /> : null}
      {groups.map(({ name, items }) => (
        <Section key={name} title={name}>
          <Stack spacing={2}>
            {items.map((item) => (
              <SettingLine key={item.path} item={item} />
            ))}
          </Stack>
        </Section>
      ))}
    </Stack>
  );
}

function SettingLine({ item }: { item: Settings['settings'][number] }) {
  return (
    <Box>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography component="code" sx={{ fontWeight: 600, fontSize: 14 }}>
          {item.path}
        </Typography>
        <Chip
          size="small"
          variant="outlined"
          label={item.source}
          color={item.source === 'configured' ? 'primary' : 'default'}
        />
      </Stack>
      <Typography
        component="pre"
        sx={{ m: 0, my: 0.25, fontFamily: 'monospace', fontSize: 14, whiteSpace: 'pre-wrap' }}
      >
        {settingText(item.value)}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {item.description}
      </Typography>
    </Box>
  );
}
