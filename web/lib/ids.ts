/** Creates a UUID of version 7. `crypto.randomUUID` creates only version 4 and is missing on plain http. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const view = new DataView(bytes.buffer)
  const randomBits = view.getUint16(6) & 0x0fff
  const versionAndRandomBits = 0x7000 | randomBits // the first four bits are the version, 7
  view.setBigUint64(0, (BigInt(Date.now()) << 16n) | BigInt(versionAndRandomBits)) // the first six bytes are the time in ms
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80) // the first two bits are the variant, 10
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
