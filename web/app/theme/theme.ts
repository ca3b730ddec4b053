import { createTheme, type Theme } from '@mui/material/styles';
import { readableOn } from './contrast.ts';
import { barGround, chosen, meansByColor } from './forced-colors.ts';

export const defaultAccent = '#1976d2';
const darkGround = '#14171c';
const darkPaper = '#1e2126';

const systemFonts = 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';

/** Light and dark from one accent. Every pair of text and ground keeps 4.5:1. */
export function makeTheme(accent: string): Theme {
  return createTheme({
    cssVariables: { colorSchemeSelector: 'data-scheme' },
    defaultColorScheme: 'light',
    colorSchemes: {
      light: {
        palette: {
          primary: { main: accent, contrastText: '#ffffff' },
          success: { main: '#1e6b34', contrastText: '#ffffff' },
          warning: { main: '#8a4b08', contrastText: '#ffffff' },
          error: { main: '#b3261e', contrastText: '#ffffff' },
          info: { main: '#1f5a93', contrastText: '#ffffff' },
          text: { primary: '#1b1f24', secondary: '#505a66' },
          background: { default: '#f4f6f8', paper: '#ffffff' },
        },
      },
      dark: {
        palette: {
          primary: { main: readableOn(darkPaper, accent, 5.5), contrastText: '#0d1117' },
          success: { main: '#7fd69a', contrastText: '#0d1117' },
          warning: { main: '#f3b562', contrastText: '#0d1117' },
          error: { main: '#ff9b93', contrastText: '#0d1117' },
          info: { main: '#8ec5ff', contrastText: '#0d1117' },
          text: { primary: '#e8ebef', secondary: '#aab4c0' },
          background: { default: darkGround, paper: darkPaper },
        },
      },
    },
    shape: { borderRadius: 10 },
    typography: {
      fontFamily: systemFonts,
      h1: { fontSize: '1.5rem', fontWeight: 650, lineHeight: 1.3 },
      h2: { fontSize: '1.1rem', fontWeight: 650, lineHeight: 1.4 },
      h3: { fontSize: '0.95rem', fontWeight: 650 },
      button: { textTransform: 'none', fontWeight: 600 },
      overline: { letterSpacing: '0.06em', lineHeight: 1.8 },
    },
    components: {
      MuiButton: {
        defaultProps: { disableElevation: true },
        // An accent is readable on paper by its rule, and on nothing else for certain.
        styleOverrides: {
          // Words of a button stay whole, however little room a phone leaves.
          root: { overflowWrap: 'normal' },
          // Its ground alone tells it, which the system's colors take away.
          contained: { '@media (forced-colors: active)': { border: '1px solid ButtonText' } },
          outlined: ({ theme }) => ({ backgroundColor: theme.vars?.palette.background.paper }),
        },
      },
      MuiDialogActions: {
        styleOverrides: {
          root: ({ theme }) => ({
            // One below the other, the act on top.
            [theme.breakpoints.down('sm')]: {
              flexDirection: 'column-reverse',
              alignItems: 'stretch',
              gap: theme.spacing(1),
              '& > :not(style) ~ :not(style)': { marginLeft: 0 },
              // The longest act fits the narrowest phone in one line.
              '& .MuiButton-root': {
                paddingLeft: theme.spacing(1),
                paddingRight: theme.spacing(1),
                whiteSpace: 'nowrap',
              },
            },
          }),
        },
      },
      MuiAlert: {
        styleOverrides: {
          // By itself a filled alert takes a darker shade in the dark, with white text that nobody can read on it.
          filled: ({ theme, ownerState: { severity = 'success' } }) => ({
            backgroundColor: theme.vars?.palette[severity].main,
            color: theme.vars?.palette[severity].contrastText,
          }),
        },
      },
      // The ripple that stands in for a ring does not move where motion is reduced, and is faint where it does.
      MuiButtonBase: {
        styleOverrides: {
          root: {
            '&.Mui-focusVisible': { outline: '2px solid var(--mui-palette-text-primary)', outlineOffset: '2px' },
          },
        },
      },
      MuiToggleButton: { styleOverrides: { root: { '&.Mui-selected': chosen } } },
      MuiListItemButton: { styleOverrides: { root: { '&.Mui-selected': chosen } } },
      MuiLinearProgress: {
        styleOverrides: { root: { ...barGround, '& .MuiLinearProgress-bar': meansByColor('Highlight') } },
      },
      MuiPaper: { defaultProps: { variant: 'outlined' } },
      MuiAppBar: { defaultProps: { color: 'default', variant: 'elevation', elevation: 0 } },
      MuiDialog: { defaultProps: { fullWidth: true, maxWidth: 'sm' } },
      MuiTextField: { defaultProps: { size: 'small' } },
      MuiChip: { styleOverrides: { root: { fontWeight: 600 } } },
      MuiTooltip: { defaultProps: { arrow: true } },
      MuiCssBaseline: {
        styleOverrides: {
          'html, body, #root': { minHeight: '100%' },
          body: { overflowWrap: 'anywhere' },
          code: { fontFamily: 'ui-monospace, Menlo, Consolas, "Liberation Mono", monospace', fontSize: '0.9em' },
          ':focus-visible': { outline: '2px solid currentColor', outlineOffset: '2px' },
          '@media (prefers-reduced-motion: reduce)': {
            '*': { animationDuration: '0.01ms !important', transitionDuration: '0.01ms !important' },
          },
        },
      },
    },
  });
}
