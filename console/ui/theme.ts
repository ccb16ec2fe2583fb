import { createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core';

/** Filled controls take the colours of theme.css, which differ between light and dark. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const name = input.color === 'red' ? 'danger' : 'accent';
  if (input.variant === 'filled') {
    return {
      background: `var(--${name}-solid)`,
      hover: `var(--${name}-strong)`,
      color: `var(--on-${name})`,
      border: '1px solid transparent',
    };
  }
  if (input.variant === 'light' || input.variant === 'subtle') {
    return {
      background: input.variant === 'light' ? 'var(--accent-tint)' : 'transparent',
      hover: 'var(--hover)',
      color: input.color === 'gray' ? 'var(--muted)' : 'var(--accent-text)',
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
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, transitionProps: { duration: 80 } } },
    Modal: { defaultProps: { lockScroll: false, centered: false, transitionProps: { duration: 100 } } },
    Menu: { defaultProps: { transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { transitionProps: { duration: 80 } } },
  },
});
