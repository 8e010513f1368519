import dark from './pictures/board-dark.avif?url'
import light from './pictures/board-light.avif?url'
import phoneDark from './pictures/board-phone-dark.avif?url'
import phoneLight from './pictures/board-phone-light.avif?url'

const wide = { width: 1280, height: 712 }
const narrow = { width: 358, height: 470 }

/** The deals board in the theme of the visitor. `npm run pictures` takes the pictures from the product with the demo records. */
export const BoardPicture = () => (
  <picture className="picture">
    <source media="(max-width: 767px) and (prefers-color-scheme: dark)" srcSet={phoneDark} {...narrow} />
    <source media="(max-width: 767px)" srcSet={phoneLight} {...narrow} />
    <source media="(prefers-color-scheme: dark)" srcSet={dark} {...wide} />
    <img src={light} alt="The deals board of Foyer: a column for each stage, with its deals as cards and their sum" {...wide} />
  </picture>
)
