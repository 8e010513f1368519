/** What an address that leads nowhere says, to strangers and inside the application. */
export const notFound = {
  title: 'Page not found - Foyer',
  heading: 'Oops! Page not found',
  text: 'There is no room behind this door. The address may be mistyped, or what was here has been deleted.',
  wayOut: 'Back to home',
}
