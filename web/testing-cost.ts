// Turns off two costs of the tests of the web application that take a quarter of their processor time.
import * as react from 'react'

/** Stops React from recording a stack for each rendered element. React shows the stacks only in its warnings. */
export function turnOffElementStacks(): void {
  const internals: unknown = Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
  if (!(internals instanceof Object)) throw new Error('React has no internals under this name any more')
  // React records stacks for at most 10,000 elements a second
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })
}

/**
 * Makes `getComputedStyle` find `display` and `visibility` without the style sheets, which happy-dom would read again after each change of
 * the document. Queries by role and name ask for these two properties of every element. No style sheet of the tests sets them: the CSS
 * modules are not loaded.
 */
export function simplifyComputedStyles(): void {
  const compute = window.getComputedStyle.bind(window)
  const getComputedStyle = (element: HTMLElement): CSSStyleDeclaration => {
    const read = (property: string): string | undefined => {
      if (property === 'display') return readDisplay(element)
      return property === 'visibility' ? readVisibility(element) : undefined
    }
    return new Proxy(compute(element), {
      get: (style, name) => {
        if (name === 'getPropertyValue') return (property: string) => read(property) ?? style.getPropertyValue(property)
        const value: unknown = read(String(name)) ?? Reflect.get(style, name)
        return typeof value === 'function' ? value.bind(style) : value
      },
    })
  }
  Object.assign(window, { getComputedStyle })
  Object.assign(globalThis, { getComputedStyle })
}

/** The elements that a browser never shows. */
const hiddenElements = 'style, script, template, head, title, meta, link'

const readDisplay = (element: HTMLElement): string => element.style.display || (element.matches(hiddenElements) ? 'none' : 'block')

/** Elements inherit the visibility of their parents. */
const readVisibility = (element: HTMLElement | null): string =>
  element === null ? 'visible' : element.style.visibility || readVisibility(element.parentElement)
