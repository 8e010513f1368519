/**
 * The features that public pages name, and whether they can be used today. The landing page marks those that cannot with *Soon*, and the
 * sign-in page names only those that can. The commit that makes a feature usable must set its value to true.
 */
export const liveFeatures = {
  contacts: true,
  deals: true,
  tasks: true,
  files: true,
  bookings: true,
  leadForms: true,
  email: false,
  assistant: true,
  imports: true,
  crmSync: true,
  chatbot: false,
  whatsapp: false,
}

export type FeatureName = keyof typeof liveFeatures

export const isLive = (...names: readonly FeatureName[]): boolean => names.every((name) => liveFeatures[name])
