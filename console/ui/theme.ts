import { createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core';

/** Filled controls use the colours of theme.css, which differ between light and dark. */
const variantColorResolver: VariantColorsResolver = (input) => {
  if (input.variant === 'filled') {
    return {
      background: 'var(--accent-solid)',
      hover: 'var(--accent-strong)',
      color: 'var(--on-accent)',
      border: '1px solid transparent',
    };
  }
  if (input.variant === 'outline') {
    return {
      background: 'var(--raised)',
      hover: 'var(--hover)',
      color: 'var(--danger)',
      border: '1px solid var(--edge)',
    };
  }
  if (input.variant === 'light' || input.variant === 'subtle') {
    return {
      background: input.variant === 'light' ? 'var(--selected)' : 'transparent',
      hover: 'var(--hover)',
      color: input.color === 'gray' ? 'var(--muted)' : 'var(--accent)',
      border: '1px solid transparent',
    };
  }
  return defaultVariantColorsResolver(input);
};

/** Mantine's defaults for this console. Colours are in theme.css, where both schemes are. */
export const theme = createTheme({
  primaryColor: 'teal',
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: {
      vars: (_theme: unknown, { size }: { size?: string }) => ({
        root: {
          '--button-height': size === 'md' ? '32px' : size === 'xs' ? '26px' : '28px',
          '--button-padding-x': size === 'md' ? '14px' : '10px',
          '--button-fz': '13px',
        },
      }),
      styles: { root: { fontWeight: 500 } },
    },
    Input: { vars: () => ({ wrapper: { '--input-height': '32px', '--input-fz': '13px' } }) },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, transitionProps: { duration: 80 } } },
    Modal: { defaultProps: { lockScroll: false, centered: false, transitionProps: { duration: 100 } } },
    Menu: { defaultProps: { transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { transitionProps: { duration: 80 } } },
  },
});
