import { Box, Link, Typography, useColorScheme } from '@mui/material';
import { useBranding } from '../data/queries.ts';
import { MoonIcon } from '../icons.tsx';

/** The brand's logo, or the product's sign; an image runs no script and loads nothing, whatever its SVG says. */
export function BrandMark({ clusterName }: { clusterName: string | undefined }) {
  const { data: brand } = useBranding();
  const { mode, systemMode } = useColorScheme();
  const dark = (mode === 'system' ? systemMode : mode) === 'dark';
  const shown = clusterName ?? brand?.name ?? 'Hibernation';
  return (
    <Link
      href="#/"
      color="inherit"
      underline="none"
      aria-label={`${shown}: overview`}
      sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}
    >
      {brand?.logo ? (
        <Box
          component="img"
          alt={brand.name ?? ''}
          src={svgAddress(dark ? brand.logo.dark : brand.logo.light)}
          sx={{ height: 30, maxWidth: 140, objectFit: 'contain' }}
        />
      ) : (
        <MoonIcon sx={{ color: 'primary.main' }} />
      )}
      {brand?.logo && clusterName === undefined ? null : (
        <Typography component="span" noWrap sx={{ fontWeight: 650, display: { xs: 'none', sm: 'block' } }}>
          {shown}
        </Typography>
      )}
    </Link>
  );
}

function svgAddress(svg: string): string {
  return svg.startsWith('data:image/') ? svg : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
