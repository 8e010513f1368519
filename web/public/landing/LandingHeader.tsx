import { Header } from '../Header.tsx'
import { signInAddress, signUpAddress } from './addresses.ts'

export function LandingHeader() {
  return (
    <Header>
      <nav className="entrance" aria-label="Account">
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
