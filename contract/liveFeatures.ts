/**
 * The features that visitors read about, and whether they can be used today. The landing page marks the others with *Soon*, and the sign-in
 * page promises only what is live. The commit with which a feature can be used sets its value to true.
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
