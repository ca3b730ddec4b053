import { SvgIcon, type SvgIconProps } from '@mui/material';

// The few signs that the app uses, drawn for it: an icon package would weigh more than a page.

function Drawn({ shape, ...props }: SvgIconProps & { shape: string }) {
  return (
    <SvgIcon {...props}>
      <path d={shape} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </SvgIcon>
  );
}

export const SunIcon = (props: SvgIconProps) => (
  <Drawn
    shape="M12 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4"
    {...props}
  />
);
export const MoonIcon = (props: SvgIconProps) => (
  <Drawn shape="M20 14.5A8.5 8.5 0 0 1 9.5 4A8.5 8.5 0 1 0 20 14.5z" {...props} />
);
export const WakingIcon = (props: SvgIconProps) => (
  <Drawn shape="M3 18h18M6 14a6 6 0 0 1 12 0M12 3v3M4.5 7.5l2 2M19.5 7.5l-2 2M9 22h6" {...props} />
);
export const SettingIcon = (props: SvgIconProps) => (
  <Drawn shape="M3 18h18M6 14a6 6 0 0 1 12 0M12 2v6M9 5.5l3 3l3-3M9 22h6" {...props} />
);
export const StopIcon = (props: SvgIconProps) => (
  <Drawn shape="M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9l6 6M15 9l-6 6" {...props} />
);
export const QuestionIcon = (props: SvgIconProps) => (
  <Drawn
    shape="M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.01"
    {...props}
  />
);
export const WarningIcon = (props: SvgIconProps) => <Drawn shape="M12 4L2.5 20h19zM12 10v4M12 17v.01" {...props} />;
export const CheckIcon = (props: SvgIconProps) => <Drawn shape="M4 12.5l5 5L20 6.5" {...props} />;
export const CrossIcon = (props: SvgIconProps) => <Drawn shape="M6 6l12 12M18 6L6 18" {...props} />;
export const MenuIcon = (props: SvgIconProps) => <Drawn shape="M4 6h16M4 12h16M4 18h16" {...props} />;
export const HomeIcon = (props: SvgIconProps) => <Drawn shape="M4 11l8-7l8 7v9h-5v-6H9v6H4z" {...props} />;
export const StepsIcon = (props: SvgIconProps) => <Drawn shape="M4 18h5v-5h5V8h5V4" {...props} />;
export const HandIcon = (props: SvgIconProps) => (
  <Drawn shape="M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4" {...props} />
);
export const BoxesIcon = (props: SvgIconProps) => (
  <Drawn shape="M3 4h8v7H3zM13 4h8v7h-8zM3 13h8v7H3zM13 13h8v7h-8z" {...props} />
);
export const EyeIcon = (props: SvgIconProps) => (
  <Drawn
    shape="M2 12c3-5 6.500-7 10-7s7 2 10 7c-3 5-6.500 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6"
    {...props}
  />
);
export const CalendarIcon = (props: SvgIconProps) => <Drawn shape="M4 6h16v14H4zM4 10h16M8 3v4M16 3v4" {...props} />;
export const LeafIcon = (props: SvgIconProps) => (
  <Drawn shape="M4 20C4 10 10 4 20 4c0 10-6 16-16 16zM4 20L13 11" {...props} />
);
export const ListIcon = (props: SvgIconProps) => (
  <Drawn shape="M8 6h12M8 12h12M8 18h12M4 6v.01M4 12v.01M4 18v.01" {...props} />
);
export const LinkIcon = (props: SvgIconProps) => (
  <Drawn shape="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1" {...props} />
);
export const DatabaseIcon = (props: SvgIconProps) => (
  <Drawn
    shape="M4 6c0-1.700 3.600-3 8-3s8 1.300 8 3s-3.600 3-8 3s-8-1.300-8-3zM4 6v12c0 1.700 3.600 3 8 3s8-1.300 8-3V6M4 12c0 1.700 3.600 3 8 3s8-1.300 8-3"
    {...props}
  />
);
export const GearIcon = (props: SvgIconProps) => (
  <Drawn
    shape="M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2"
    {...props}
  />
);
export const KeyIcon = (props: SvgIconProps) => (
  <Drawn shape="M8 11a4 4 0 1 0 0 8a4 4 0 1 0 0-8M11 12l9-9M16 7l3 3" {...props} />
);
export const BellIcon = (props: SvgIconProps) => <Drawn shape="M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4" {...props} />;
export const CertificateIcon = (props: SvgIconProps) => (
  <Drawn shape="M4 4h16v11H4zM8 8h8M8 11h5M14 15v6l2-1.500l2 1.500v-6" {...props} />
);
export const SearchIcon = (props: SvgIconProps) => (
  <Drawn shape="M10.500 4a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M15.500 15.500L21 21" {...props} />
);
export const ClockIcon = (props: SvgIconProps) => (
  <Drawn shape="M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5l3.500 2" {...props} />
);
export const ThemeIcon = (props: SvgIconProps) => (
  <Drawn shape="M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18" {...props} />
);
export const PersonIcon = (props: SvgIconProps) => (
  <Drawn shape="M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8M4 21c0-4 3.500-6 8-6s8 2 8 6" {...props} />
);
export const DownloadIcon = (props: SvgIconProps) => <Drawn shape="M12 4v11M7 11l5 5l5-5M4 20h16" {...props} />;
export const ChevronIcon = (props: SvgIconProps) => <Drawn shape="M9 5l7 7l-7 7" {...props} />;
export const RefreshIcon = (props: SvgIconProps) => <Drawn shape="M20 12a8 8 0 1 1-2.300-5.700M20 3v4h-4" {...props} />;
