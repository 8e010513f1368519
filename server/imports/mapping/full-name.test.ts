import { expect, test } from 'vitest'
import { splitFullName } from './full-name.ts'

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ['Juan de la Cruz', 'Juan', 'de la Cruz'],
  ['Maria da Silva', 'Maria', 'da Silva'],
  ['Hopper, Grace', 'Grace', 'Hopper'],
  ['van der Berg, Piet', 'Piet', 'van der Berg'],
  ['DUPONT Jean', 'Jean', 'DUPONT'],
  ['Jean DUPONT', 'Jean', 'DUPONT'],
  ['María García López', 'María', 'García López'],
  ['Mary Ann Smith', 'Mary Ann', 'Smith'],
  ['Dr. Max Rot', 'Max', 'Rot'],
  ['Herr Udo Klein', 'Udo', 'Klein'],
  ['Frau Lang', '', 'Lang'],
  ['Don Draper', 'Don', 'Draper'],
  ['José Luis Rodríguez Zapatero', 'José Luis', 'Rodríguez Zapatero'],
  ['John Smith Jr.', 'John', 'Smith Jr.'],
  ['John Smith, PhD', 'John', 'Smith'],
  ['John Smith, Jr., MD', 'John', 'Smith Jr.'],
  ['King, Martin, Jr.', 'Martin', 'King Jr.'],
  ['Jack Ma', 'Jack', 'Ma'],
  ['John F. Kennedy', 'John F.', 'Kennedy'],
  ['Anne-Marie O’Neill', 'Anne-Marie', 'O’Neill'],
  ['Hopper, Dr.', '', 'Hopper'],
  ['Hopper, Grace, Prof. Dr.', 'Grace', 'Hopper'],
  ['Grace Hopper, Dr.', 'Grace', 'Hopper'],
  ['Cher', 'Cher', ''],
  ['', '', ''],
])('splitFullName splits "%s"', (name, first_name, last_name) => {
  expect(splitFullName(name)).toEqual({ first_name, last_name })
})

test('splitFullName splits a name with 20,000 salutations', () => {
  expect(splitFullName(`${'Dr. '.repeat(20_000)}Rot`)).toEqual({ first_name: '', last_name: 'Rot' })
})
