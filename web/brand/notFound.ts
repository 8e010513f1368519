/** The texts of the not-found pages, the public page and the page in the application. */
export const notFound = {
  title: 'Page not found - Foyer',
  heading: 'Oops! Page not found',
  text: 'There is no room behind this door. The address may be mistyped, or what was here has been deleted.',
  linkLabel: 'Back to home',
}
