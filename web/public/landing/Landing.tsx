import type { LandingContent, PageResources } from '#contract/pages.ts'
import { isLive } from '#contract/liveFeatures.ts'
import { Document } from '../Document.tsx'
import { Header, Logo } from '../Header.tsx'
import { BoardPicture } from './BoardPicture.tsx'
import { comingParts, features, liveParts } from './features.ts'
import { Icon } from './Icon.tsx'
import { LandingHead } from './LandingHead.tsx'

const signInAddress = '/auth'
const signUpAddress = '/auth?mode=sign-up'

/** The landing page: an introduction, a picture of the deals board, the features, and links to sign up and sign in. */
export function Landing({ content, resources }: { content: LandingContent; resources: PageResources }) {
  return (
    <Document
      title="Foyer - the free workspace where your business meets its customers"
      resources={resources}
      head={<LandingHead address={content.address} nonce={resources.nonce} />}
    >
      <LandingHeader />
      <main id="content" tabIndex={-1}>
        <Hero />
        <Features />
        <CallToAction />
      </main>
      <Footer year={content.year} />
    </Document>
  )
}

function LandingHeader() {
  return (
    <Header>
      <nav className="account-links" aria-label="Account">
        <a className="button button-quiet" href={signInAddress}>
          Sign In
        </a>
        <a className="button button-default" href={signUpAddress}>
          Get Started
        </a>
      </nav>
    </Header>
  )
}

function Hero() {
  return (
    <div className="width">
      <div className="hero">
        <div>
          <h1>Where your business meets its customers</h1>
          <p>
            {liveParts} in one workspace that runs on your own server. Free, with nothing held back.
            {comingParts && ` Soon: ${comingParts}.`}
          </p>
          <div className="hero-buttons">
            <a className="button button-primary button-large" href={signUpAddress}>
              Start Free
            </a>
            <a className="button button-quiet button-large" href="#features">
              See what it does
            </a>
          </div>
        </div>
        <DoorDrawing opening="half" />
      </div>
      <BoardPicture />
    </div>
  )
}

function Features() {
  return (
    <section className="width features" id="features" aria-labelledby="features-title">
      <h2 id="features-title">One place, from the first hello to the signed deal</h2>
      <ul>
        {features.map(({ title, icon, text, isSoon }) => (
          <li key={title}>
            <Icon name={icon} />
            <div className="feature-title">
              <h3>{title}</h3>
              {isSoon && <span className="soon">Soon</span>}
            </div>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const setupText = 'Make an account, drop in your contact list, share a booking link.'
const setupTextWithoutImports = 'Make an account, add your first contact, drop in your files.'

function CallToAction() {
  return (
    <section className="call" aria-labelledby="call-title">
      <div className="width">
        <div className="call-text">
          <h2 id="call-title">Your customers are at the door already</h2>
          <p>{isLive('imports', 'bookings') ? setupText : setupTextWithoutImports} That is the whole setup.</p>
          <a className="button button-primary button-large" href={signUpAddress}>
            Create Free Account
          </a>
          <p className="call-price">No card, no trial, no paid plan.</p>
        </div>
        <DoorDrawing opening="wide" />
      </div>
    </section>
  )
}

function Footer({ year }: { year: number }) {
  return (
    <footer className="footer">
      <div className="width">
        <Logo />
        <p>© {year} Foyer</p>
        <nav aria-label="Footer">
          <a href={signInAddress}>Sign In</a>
          <a href={signUpAddress}>Create Free Account</a>
          <a href="/api-docs">API</a>
        </nav>
      </div>
    </footer>
  )
}

const openings = {
  half: {
    door: 'M76 120l62 27c5 2 8 7 8 12v141H76z',
    handle: 'M134 212v16',
    plant: 'M8 300v-44m0 0c-8-12-6-30 0-42 6 12 8 30 0 42zm0 0c5-10 14-14 22-16-2 10-10 16-22 16z',
  },
  wide: {
    door: 'M76 120l20 15c4 3 6 7 6 12v153H76z',
    handle: 'M96 214v16',
    plant:
      'M24 300V196m0 0c-10-14-8-34 0-48 8 14 10 34 0 48zm0 44c6-14 18-20 28-22-3 14-12 22-28 22zm0-10c-6-12-14-17-22-19 2 11 10 19 22 19zm0 42c5-12 14-17 24-19-3 12-11 19-24 19z',
  },
}

/** A door with a plant. At the end of the page the door is open wider and the plant is taller. */
function DoorDrawing({ opening }: { opening: keyof typeof openings }) {
  const { door, handle, plant } = openings[opening]
  return (
    <svg className="door" viewBox="0 0 260 300" aria-hidden="true">
      <path className="door-light" d="M76 300V126a56 56 0 0 1 112 0v174z" />
      <path d="M56 300V126a76 76 0 0 1 152 0v174" />
      <path d="M76 300V126a56 56 0 0 1 112 0v174" />
      <path className="door-leaf" d={door} />
      <path className="door-handle" d={handle} />
      <path d={plant} />
    </svg>
  )
}
