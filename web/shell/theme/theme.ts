import { ActionIcon, Button, createTheme, type CSSVariablesResolver } from '@mantine/core'

const font = "'Inter Variable', system-ui, sans-serif"
const toRem = (size: number): string => `${size / 16}rem`

/**
 * The design tokens as a Mantine theme. Every page loads the components that this file imports, so this file must import only components
 * that every page uses. More styles are in foyer.css.
 */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  white: '#ffffff',
  black: '#1c1c1a',
  colors: {
    brand: ['#ebf9f8', '#dbf3f0', '#bbe7e3', '#96d5d1', '#6ebfb9', '#47a39e', '#218883', '#006b67', '#005b58', '#004845'],
    gray: ['#f8f7f6', '#efefed', '#e8e8e6', '#e8e8e6', '#d2d2cf', '#a3a29f', '#6b6a67', '#575753', '#3a3a37', '#1c1c1a'],
    dark: ['#ebebea', '#c9c8c6', '#aaa9a6', '#969692', '#2d2f31', '#27292b', '#1d1f20', '#161718', '#101112', '#0b0c0c'],
  },
  fontFamily: font,
  fontSizes: { xs: toRem(12), sm: toRem(13), md: toRem(14), lg: toRem(16), xl: toRem(20) },
  lineHeights: { xs: '1.34', sm: '1.54', md: '1.43', lg: '1.5', xl: '1.4' },
  headings: { fontFamily: font, fontWeight: '620' },
  spacing: { xs: toRem(8), sm: toRem(12), md: toRem(16), lg: toRem(24), xl: toRem(32) },
  radius: { xs: toRem(4), sm: toRem(6), md: toRem(6), lg: toRem(8), xl: toRem(8) },
  shadows: { xs: 'none', sm: 'none', md: 'var(--f-shadow-float)', lg: 'var(--f-shadow-float)', xl: 'var(--f-shadow-float)' },
  components: {
    Button: Button.extend({
      vars: (_, { size }) => ({
        root: size ? {} : { '--button-height': toRem(32), '--button-padding-x': toRem(12), '--button-fz': toRem(13) },
      }),
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 32 } }),
    Input: { defaultProps: { attributes: { input: { dir: 'auto' } } } }, // Mantine sets the property `dir` on the box around the input
    Menu: { defaultProps: { radius: 'lg', shadow: 'md', withInitialFocusPlaceholder: false } }, // the placeholder breaks aria-required-children
    Popover: { defaultProps: { radius: 'lg', shadow: 'md' } },
    Select: { defaultProps: { withScrollArea: false, comboboxProps: { radius: 'lg', shadow: 'md' } } }, // the list scrolls by itself
    Modal: { defaultProps: { radius: 'lg', shadow: 'lg', padding: 16, yOffset: '12vh', closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { shadow: 'lg', closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 120 } } },
  },
})

/** Mantine's CSS variables and the design tokens that replace their values. */
const mantineVariables = {
  '--mantine-color-body': 'var(--f-canvas)',
  '--mantine-color-text': 'var(--f-text)',
  '--mantine-color-bright': 'var(--f-text)',
  '--mantine-color-dimmed': 'var(--f-text-2)',
  '--mantine-color-placeholder': 'var(--f-text-3)',
  '--mantine-color-anchor': 'var(--f-brand-text)',
  '--mantine-color-error': 'var(--f-danger)',
  '--mantine-color-success': 'var(--f-success)',
  '--mantine-color-default': 'var(--f-canvas)',
  '--mantine-color-default-hover': 'var(--f-hover)',
  '--mantine-color-default-color': 'var(--f-text)',
  '--mantine-color-default-border': 'var(--f-border-input)',
  '--mantine-color-disabled': 'var(--f-surface-2)',
  '--mantine-color-disabled-color': 'var(--f-text-3)',
  '--mantine-color-disabled-border': 'var(--f-border)',
  '--mantine-primary-color-filled': 'var(--f-brand)',
  '--mantine-primary-color-filled-hover': 'var(--f-brand-hover)',
  '--mantine-color-brand-filled': 'var(--f-brand)',
  '--mantine-color-brand-filled-hover': 'var(--f-brand-hover)',
  '--mantine-color-brand-light': 'var(--f-brand-subtle)',
  '--mantine-color-brand-light-color': 'var(--f-brand-text)',
  '--mantine-color-brand-outline': 'var(--f-brand-text)',
  '--mantine-color-red-filled': 'var(--f-danger-fill)',
  '--mantine-color-red-filled-hover': 'color-mix(in oklab, var(--f-danger-fill) 88%, black)',
  '--mantine-color-red-light-color': 'var(--f-danger)',
}

/** Sets Mantine's CSS variables to the design tokens, in both colour schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: mantineVariables, dark: mantineVariables })
