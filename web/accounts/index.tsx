// Accounts: sign-up, sign-in, password reset, and the account page with profile, devices and deletion.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconClock, IconUser } from '@tabler/icons-react'
import { defineFeature, rootRoute, signedInRoute } from '#web/lib/routes.ts'

type AuthParameters = { mode?: 'sign-up' | undefined; next?: string | undefined }

const auth = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  validateSearch: ({ mode, next }: Record<string, unknown>): AuthParameters => ({
    mode: mode === 'sign-up' ? mode : undefined,
    next: typeof next === 'string' ? next : undefined,
  }),
  component: lazyRouteComponent(() => import('./AuthPage.tsx'), 'AuthPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/forgot',
  component: lazyRouteComponent(() => import('./ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/reset',
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | undefined } => ({
    token: typeof token === 'string' ? token : undefined,
  }),
  component: lazyRouteComponent(() => import('./ResetPasswordPage.tsx'), 'ResetPasswordPage'),
})

const account = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./AccountPage.tsx'), 'AccountPage'),
})

export const accounts = defineFeature({
  publicRoutes: [auth, forgotPassword, resetPassword],
  signedInRoutes: [account],
  actions: [
    {
      label: 'Account',
      icon: IconUser,
      address: '/account',
      isPage: true,
      keywords:
        'settings profile password devices email name time zone currency country sessions export backup download everything first steps ai connection model key',
      keys: 'g-a',
    },
  ],
  firstSteps: [
    {
      name: 'region',
      icon: IconClock,
      title: 'Set your time zone and currency',
      text: 'So that times and sums are right from the start.',
      buttonLabel: 'Open account',
      address: '/account',
    },
  ],
})
