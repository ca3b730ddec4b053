import { Alert, Box, Chip, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useSettings } from '../data/queries.ts';
import { useHashSearch } from '../hash-location.ts';
import { NotCurrent } from '../overview/as-of.tsx';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { FoldedText } from '../parts/folded-text.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { TextWithCode } from '../parts/text-with-code.tsx';
import { FoldedSection } from './folded-section.tsx';
import { changedSettings, findSettings, groupSettings, groupTitle, settingText } from './grouping.ts';

type Settings = AnswerOf<'settings'>;
type Setting = Settings['settings'][number];

export function SettingsPage() {
  const settings = useSettings();
  return (
    <Page
      title="Settings"
      lead="Each value in force, where it comes from and what it does. Values are changed in the chart's values file."
    >
      <NotCurrent reads={[settings]} />
      <Answer of={settings} lines={10}>
        {(value) => <SettingsView settings={value} />}
      </Answer>
    </Page>
  );
}

function SettingsView({ settings: { settings, refused, brandRefused } }: { settings: Settings }) {
  const [path, navigate] = useLocation();
  const text = new URLSearchParams(useHashSearch()).get('q') ?? '';
  const look = (next: string) =>
    navigate(next === '' ? path : `${path}?q=${encodeURIComponent(next)}`, { replace: true });
  const found = findSettings(settings, text);
  const looking = text.trim() !== '';
  return (
    <Stack spacing={3}>
      {refused === null ? null : (
        <Alert severity="error">
          The newest configuration was refused, and the one before it is in force: {refused}
        </Alert>
      )}
      {brandRefused === null ? null : (
        <Alert severity="warning">The brand is ignored, and the product's own is shown: {brandRefused}</Alert>
      )}
      <Box role="search">
        <TextField
          fullWidth
          label="Find a setting"
          type="search"
          value={text}
          onChange={(event) => look(event.target.value)}
          helperText={looking ? `${found.length} of ${settings.length} settings` : 'By name, value or what it does'}
        />
      </Box>
      {found.length === 0 ? <Empty title={looking ? 'No setting fits' : 'There are no settings'} /> : null}
      {looking ? <Found settings={found} /> : <Everything settings={settings} />}
    </Stack>
  );
}

function Found({ settings }: { settings: readonly Setting[] }) {
  return (
    <>
      {groupSettings(settings).map(({ name, items }) => (
        <Section key={name} title={groupTitle(name)}>
          <Lines items={items} />
        </Section>
      ))}
    </>
  );
}

/** What somebody has set comes first and open; the rest is there for whoever looks for it. */
function Everything({ settings }: { settings: readonly Setting[] }) {
  const changed = changedSettings(settings);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) => setOpen((before) => before.symmetricDifference(new Set([name])));
  if (settings.length === 0) return null;
  return (
    <>
      <Section title={`Changed (${changed.length})`} note="Set by whoever runs this service; the default beside it.">
        {changed.length === 0 ? <Empty title="Everything is as it ships" /> : <Lines items={changed} />}
      </Section>
      <Section title="All settings" flush>
        {groupSettings(settings).map((group) => (
          <FoldedSection
            key={group.name}
            title={groupTitle(group.name)}
            note={noteOf(group)}
            open={open.has(group.name)}
            onToggle={() => toggle(group.name)}
          >
            <Lines items={group.items} />
          </FoldedSection>
        ))}
      </Section>
    </>
  );
}

function noteOf({ items, changed }: { readonly items: readonly Setting[]; readonly changed: number }): string {
  const count = items.length === 1 ? '1 setting' : `${items.length} settings`;
  return changed === 0 ? count : `${count}, ${changed} changed`;
}

function Lines({ items }: { items: readonly Setting[] }) {
  return (
    <Stack spacing={2.5}>
      {items.map((item) => (
        <SettingLine key={item.path} item={item} />
      ))}
    </Stack>
  );
}

function SettingLine({ item }: { item: Setting }) {
  const { path, value, source, description, standard, applies } = item;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography component="code" sx={{ fontWeight: 600, fontSize: 14, overflowWrap: 'anywhere' }}>
          {path}
        </Typography>
        {source === 'configured' ? <Chip size="small" variant="outlined" label="changed" color="primary" /> : null}
      </Stack>
      <FoldedText text={settingText(value)} />
      {standard === undefined ? null : (
        <Typography variant="body2" color="textSecondary" component="div">
          Default: <FoldedText text={settingText(standard)} inline />
        </Typography>
      )}
      <Typography variant="body2" color="textSecondary">
        <TextWithCode text={description} />{' '}
        {applies === 'at once' ? 'A change holds at once.' : 'A change restarts pods of the service.'}
      </Typography>
    </Box>
  );
}
