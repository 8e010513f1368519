import { features, liveParts } from './features.ts'

const summary = `${liveParts} in one free workspace that runs on your own server.`

/** The metadata for search engines and link previews. `address` is the public origin of the server. */
export function LandingHead({ address, nonce }: { address: string; nonce: string }) {
  const home = new URL('/', address).href
  return (
    <>
      <meta name="description" content={summary} />
      <link rel="canonical" href={home} />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#161718" />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Foyer" />
      <meta property="og:title" content="Where your business meets its customers" />
      <meta property="og:description" content={summary} />
      <meta property="og:url" content={home} />
      <script type="application/ld+json" nonce={nonce} dangerouslySetInnerHTML={{ __html: formatStructuredData(home) }} />
    </>
  )
}

/** Formats the structured data for search engines (schema.org). It names only what is live, and has no rating,
 * because there are no real ratings yet. */
function formatStructuredData(home: string): string {
  const software = {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: 'Foyer',
    url: home,
    description: summary,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    featureList: features.filter(({ isSoon }) => !isSoon).map(({ title }) => title),
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
  }
  return JSON.stringify(software).replaceAll('<', '\\u003c') // a text with `</script>` would end the script element
}
