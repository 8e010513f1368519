import { Logo } from '../Logo.tsx'
import { signInAddress, signUpAddress } from './addresses.ts'

export function Footer({ year }: { year: number }) {
  return (
    <footer className="footer">
      <div className="width">
        <Logo />
        <p>© {year} Foyer</p>
        <nav aria-label="Footer">
          <a href={signInAddress}>Sign In</a>
          <a href={signUpAddress}>Create Free Account</a>
        </nav>
      </div>
    </footer>
  )
}
