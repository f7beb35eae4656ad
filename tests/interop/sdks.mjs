// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

// The SDKs that real programs use. They are strict where a hand-written client is not, so they
// tell whether what they talk to speaks their dialects: the simulator, or a gateway before it.
//
// sdks.mjs FOLDER SIMULATOR [BASE_URL [PROVIDERS]]: the packages go into FOLDER. With BASE_URL the
// SDKs talk to a gateway there, to whose providers `chat`, `messages` and `responses` the models
// belong; SIMULATOR is then the address of the simulator behind it, else the program. PROVIDERS,
// "messages,chat,chat", are those that the clients of the three dialects ask instead of their
// own. Alone, with --models, it tells which models these providers must have.

import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

import { finish, install, test } from './tap.mjs'

const LAYOUTS = ['chunk=1', 'dribble=11', 'eol=crlf', 'comments', 'bom', 'gzip', 'last-blank=no', 'http10', 'keep=drop']
const SLOW = 'sim-token=1s+run=sdk'
const THINKING = 'sim-reasoning=5'
const PACED = 'sim-tps=200'

if (process.argv[2] === '--models') {
  console.log(['fb-ok', 'fb-s13', SLOW, THINKING, PACED, ...LAYOUTS.map(layout => `sim-${layout}`)].join(','))
  process.exit(0)
}

const [folder, simulator, baseURL, providers] = process.argv.slice(2)
const others = providers?.split(',')
const providerOf = dialect => others?.[['chat', 'messages', 'responses'].indexOf(dialect)] ?? dialect
const load = install(folder, ['openai@6.30.1', '@anthropic-ai/sdk@0.137.0'])
const { OpenAI } = load('openai')
const { Anthropic } = load('@anthropic-ai/sdk')

/** Starts the program, or takes it as the address it is. */
async function findSimulator () {
  if (baseURL !== undefined) return { url: simulator, stop: () => {} }
  const program = spawn(simulator, ['--port', '0', '--quiet', '--scale', '0.1'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: program.stdout })
  const line = await new Promise((resolve, reject) => {
    lines.once('line', resolve)
    program.once('exit', code => reject(new Error(`the simulator ended with ${code}`)))
  })
  program.removeAllListeners('exit')
  return { url: JSON.parse(line).url, stop: () => program.kill() }
}

const behind = await findSimulator()
const front = baseURL ?? behind.url
const openai = new OpenAI({ baseURL: `${front}/v1`, apiKey: 'none', maxRetries: 0 })
const anthropic = new Anthropic({ baseURL: front, apiKey: 'none', maxRetries: 0 })

const get = async path => (await fetch(behind.url + path)).json()
const { text } = await get('/_text')
const attempts = async name => (await get('/_attempts')).filter(({ model }) => model === name)

/** A name of its own for every use, so that what happens once happens here. */
let uses = 0
const model = (dialect, name) => baseURL === undefined ? name : `${providerOf(dialect)}/${name}`
const once = name => `${name}-sdk${++uses}`

const user = [{ role: 'user', content: 'hi' }]
const call = [{ role: 'user', content: 'please call weather' }]
const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] }
const wanted = { city: '会津 🎎 "x"', days: 7 }
const tool = { name: 'weather', description: 'Tells the weather.' }
const chatTools = [{ type: 'function', function: { ...tool, parameters: schema } }]
const messagesTools = [{ ...tool, input_schema: schema }]
const responsesTools = [{ type: 'function', strict: false, ...tool, parameters: schema }]

const chat = (name, more) => openai.chat.completions.create({ model: model('chat', name), messages: user, ...more })
const messages = (name, more) => anthropic.messages.create({ model: model('messages', name), max_tokens: 1000, messages: user, ...more })
const responses = (name, more) => openai.responses.create({ model: model('responses', name), input: 'hi', ...more })

/** What a stream says, by the function that picks text out of an event. */
async function listen (stream, pick) {
  let said = ''
  for await (const event of stream) {
    if (event.type === 'error') throw new Error(event.message) // OpenAI's SDK hands this one on
    said += pick(event) ?? ''
  }
  return said
}
const textOf = response => response.output.at(-1).content[0].text
const pickChat = chunk => chunk.choices[0]?.delta.content
const pickMessages = event => event.type === 'content_block_delta' ? event.delta.text : ''
const pickResponses = event => event.type === 'response.output_text.delta' ? event.delta : ''

const dialects = {
  chat: { ask: chat, pick: pickChat, SDK: OpenAI },
  messages: { ask: messages, pick: pickMessages, SDK: Anthropic },
  responses: { ask: responses, pick: pickResponses, SDK: OpenAI }
}

/** The same test in every dialect. */
async function testEach (name, body) {
  for (const [dialect, facts] of Object.entries(dialects)) await test(`${dialect}: ${name}`, () => body({ dialect, ...facts }))
}

// ------------------------------------------------------------------------------ one piece

await test('chat: plain', async () => {
  const { choices: [choice], usage } = await chat('fb-ok')
  assert.strictEqual(choice.message.content, text)
  assert.strictEqual(choice.finish_reason, 'stop')
  assert.strictEqual(usage.completion_tokens, 60)
  assert.strictEqual(usage.total_tokens, usage.prompt_tokens + 60)
})

await test('messages: plain', async () => {
  const message = await messages('fb-ok')
  assert.deepStrictEqual(message.content, [{ type: 'text', text }])
  assert.strictEqual(message.stop_reason, 'end_turn')
  assert.strictEqual(message.usage.output_tokens, 60)
})

await test('responses: plain', async () => {
  const response = await responses('fb-ok')
  assert.strictEqual(response.output_text, text)
  assert.strictEqual(response.status, 'completed')
  assert.strictEqual(response.usage.output_tokens, 60)
})

// -------------------------------------------------------------------------------- streams

await testEach('streaming', async ({ ask, pick }) => {
  assert.strictEqual(await listen(await ask('fb-ok', { stream: true }), pick), text)
})

await test('chat: the stream as a whole', async () => {
  const stream = openai.chat.completions.stream({ model: model('chat', 'fb-ok'), messages: user, stream_options: { include_usage: true } })
  const whole = await stream.finalChatCompletion()
  assert.strictEqual(whole.choices[0].message.content, text)
  assert.strictEqual(whole.choices[0].finish_reason, 'stop')
  assert.strictEqual((await stream.totalUsage()).completion_tokens, 60)
})

await test('messages: the stream as a whole', async () => {
  const whole = await anthropic.messages.stream({ model: model('messages', 'fb-ok'), max_tokens: 1000, messages: user }).finalMessage()
  assert.strictEqual(whole.content[0].text, text)
  assert.strictEqual(whole.stop_reason, 'end_turn')
  assert.strictEqual(whole.usage.output_tokens, 60)
})

await test('responses: the stream as a whole', async () => {
  const whole = await openai.responses.stream({ model: model('responses', 'fb-ok'), input: 'hi' }).finalResponse()
  assert.strictEqual(textOf(whole), text)
  assert.strictEqual(whole.status, 'completed')
})

await test('the stream of a model that thinks', async () => {
  const said = await listen(await chat(THINKING, { stream: true }), chunk => chunk.choices[0]?.delta.reasoning_content)
  const message = await anthropic.messages.stream({ model: model('messages', THINKING), max_tokens: 1000, messages: user }).finalMessage()
  assert.deepStrictEqual(message.content.map(block => block.type), ['thinking', 'text'])
  assert.strictEqual(message.content[0].thinking, said)
  assert.ok(said.length > 0 && text.startsWith(said))
  const whole = await openai.responses.stream({ model: model('responses', THINKING), input: 'hi' }).finalResponse()
  assert.strictEqual(textOf(whole), text)
  assert.deepStrictEqual(whole.output.map(item => item.type), ['reasoning', 'message'])
})

for (const layout of LAYOUTS) {
  await testEach(`streaming with ${layout}`, async ({ ask, pick }) => {
    assert.strictEqual(await listen(await ask(`sim-${layout}`, { stream: true }), pick), text)
  })
}

// ---------------------------------------------------------------------------------- tools

await test('chat: tools, and on with the result', async () => {
  const { choices: [choice] } = await chat('fb-ok', { messages: call, tools: chatTools })
  assert.strictEqual(choice.finish_reason, 'tool_calls')
  assert.deepStrictEqual(JSON.parse(choice.message.tool_calls[0].function.arguments), wanted)
  const result = { role: 'tool', tool_call_id: choice.message.tool_calls[0].id, content: 'snow' }
  const next = await chat('fb-ok', { messages: [...call, choice.message, result], tools: chatTools })
  assert.strictEqual(next.choices[0].message.content, text)
})

await test('chat: tools in a stream', async () => {
  const whole = await openai.chat.completions.stream({ model: model('chat', 'fb-ok'), messages: call, tools: chatTools }).finalChatCompletion()
  assert.deepStrictEqual(JSON.parse(whole.choices[0].message.tool_calls[0].function.arguments), wanted)
})

await test('messages: tools, and on with the result', async () => {
  const first = await messages('fb-ok', { messages: call, tools: messagesTools })
  assert.strictEqual(first.stop_reason, 'tool_use')
  assert.deepStrictEqual(first.content[0].input, wanted)
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: first.content[0].id, content: 'snow' }] }
  const next = await messages('fb-ok', { messages: [...call, { role: 'assistant', content: first.content }, result], tools: messagesTools })
  assert.strictEqual(next.content[0].text, text)
})

await test('messages: tools in a stream', async () => {
  const whole = await anthropic.messages.stream({ model: model('messages', 'fb-ok'), max_tokens: 1000, messages: call, tools: messagesTools }).finalMessage()
  assert.deepStrictEqual(whole.content[0].input, wanted)
})

await test('responses: tools, and on with the result', async () => {
  const first = await responses('fb-ok', { input: call, tools: responsesTools })
  assert.deepStrictEqual(JSON.parse(first.output[0].arguments), wanted)
  const result = { type: 'function_call_output', call_id: first.output[0].call_id, output: 'snow' }
  const next = await responses('fb-ok', { input: [...call, first.output[0], result], tools: responsesTools })
  assert.strictEqual(next.output_text, text)
})

await test('responses: tools in a stream', async () => {
  const whole = await openai.responses.stream({ model: model('responses', 'fb-ok'), input: call, tools: responsesTools }).finalResponse()
  assert.deepStrictEqual(JSON.parse(whole.output[0].arguments), wanted)
})

// --------------------------------------------------------------------------------- images

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

await test('images', async () => {
  const url = `data:image/png;base64,${PIXEL}`
  const { choices: [choice] } = await chat('fb-ok', { messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, { type: 'image_url', image_url: { url } }] }] })
  assert.strictEqual(choice.message.content, text)
  const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
  const message = await messages('fb-ok', { messages: [{ role: 'user', content: [{ type: 'image', source }, { type: 'text', text: 'look' }] }] })
  assert.strictEqual(message.content[0].text, text)
  const response = await responses('fb-ok', { input: [{ role: 'user', content: [{ type: 'input_image', detail: 'auto', image_url: url }] }] })
  assert.strictEqual(response.output_text, text)
})

// ---------------------------------------------------------------------------------- abort

/** The one before us must notice that we are gone. */
await testEach('abort in the middle', async ({ ask, pick }) => {
  const stream = await ask(SLOW, { stream: true })
  let said = ''
  for await (const event of stream) {
    said += pick(event) ?? ''
    if (said.length > 10) stream.controller.abort()
  }
  assert.ok(text.startsWith(said) && said.length < text.length, said)
  let attempt = (await attempts(SLOW)).at(-1)
  while (attempt.end === null) attempt = (await attempts(SLOW)).at(-1)
  assert.strictEqual(attempt.end, 'gone')
  assert.ok(attempt.tokens < 60)
})

// --------------------------------------------------------------------------------- errors

if (baseURL === undefined) {
  await testEach('errors by their status', async ({ ask, SDK }) => {
    const kinds = {
      400: SDK.BadRequestError, 401: SDK.AuthenticationError, 403: SDK.PermissionDeniedError, 404: SDK.NotFoundError,
      409: SDK.ConflictError, 422: SDK.UnprocessableEntityError, 429: SDK.RateLimitError, 500: SDK.InternalServerError,
      503: SDK.InternalServerError, 529: SDK.InternalServerError
    }
    for (const [status, kind] of Object.entries(kinds)) {
      for (const stream of [false, true]) await assert.rejects(ask(`sim-status=${status}`, { stream }), kind)
    }
  })

  await testEach('a second try of the SDK', async ({ ask }) => {
    for (const name of ['fb-s01', 'fb-s03', 'fb-s05'].map(once)) {
      const client = ask === messages ? anthropic.withOptions({ maxRetries: 1 }) : openai.withOptions({ maxRetries: 1 })
      if (ask === chat) await client.chat.completions.create({ model: name, messages: user })
      else if (ask === messages) await client.messages.create({ model: name, max_tokens: 9, messages: user })
      else await client.responses.create({ model: name, input: 'hi' })
      assert.strictEqual((await attempts(name)).length, 2)
    }
  })

  await testEach('an error in the stream, a cut, an event that is none', async ({ ask, pick }) => {
    for (const name of ['sim-error-frame=5', 'fb-s08', 'sim-cut=10+end=reset', 'fb-s10']) {
      await assert.rejects(async () => listen(await ask(name, { stream: true }), pick), name)
    }
  })
}

await test('context and content errors have their codes', async () => {
  await assert.rejects(responses('fb-s13'), { code: 'content_policy_violation', status: 400 })
  if (baseURL !== undefined) return // a gateway looks for a channel with more room
  await assert.rejects(chat('fb-s12'), { code: 'context_length_exceeded', status: 400 })
  await assert.rejects(messages('fb-s12'), /prompt is too long/)
})

// --------------------------------------------------------------------------------- others

await test('messages: count_tokens', async () => {
  if (others !== undefined) return 'never by a provider of another dialect'
  const { input_tokens: n } = await anthropic.messages.countTokens({ model: model('messages', 'fb-ok'), messages: user })
  assert.ok(n > 0)
})

await test('models', async () => {
  const ids = []
  for await (const { id } of openai.models.list()) ids.push(id)
  assert.ok(ids.some(id => id.endsWith('fb-ok')), ids.join())
  if (baseURL !== undefined) return
  ids.length = 0
  for await (const { id } of anthropic.models.list()) ids.push(id)
  assert.ok(ids.includes('fb-ok'))
})

await test('twenty streams at once', async () => {
  const all = Array.from({ length: 20 }, (_, i) => Object.values(dialects)[i % 3])
  const said = await Promise.all(all.map(async ({ ask, pick }) => listen(await ask(PACED, { stream: true }), pick)))
  for (const one of said) assert.strictEqual(one, text)
})

behind.stop()
finish()
