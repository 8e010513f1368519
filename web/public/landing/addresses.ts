/** The card behind the landing page's buttons, in its two modes. */
export const signInAddress = '/auth'
export const signUpAddress = '/auth?mode=sign-up'
