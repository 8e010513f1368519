/**
 * The features that public pages name. The value is true if a feature can be used today. The landing page shows *Soon* beside features that
 * cannot be used yet, and the sign-in page does not name them. The commit that makes a feature usable must set its value to true.
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
