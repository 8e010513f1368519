/** The texts of the two not-found pages: the public one and the one of the application. */
export const notFound = {
  title: 'Page not found - Foyer',
  heading: 'Oops! Page not found',
  text: 'There is no room behind this door. The address may be mistyped, or what was here has been deleted.',
  linkLabel: 'Back to home',
}
