// Directus's REST as the set-up needs it.

const REQUEST_LIMIT_MS = 60_000

export class Api {
  constructor(base, token) {
    this.base = base.replace(/\/$/, '')
    this.token = token
  }

  /** Waits until Directus answers. */
  async waitUntilReady(limitMs) {
    const deadline = Date.now() + limitMs
    for (;;) {
      const answer = await fetch(`${this.base}/server/ping`, { signal: AbortSignal.timeout(2_000) })
        .then((response) => response.ok)
        .catch(() => false)
      if (answer) return
      if (Date.now() > deadline) throw new Error(`${this.base} did not answer in ${limitMs / 1000} s`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  get(path, query = {}) {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    return this.call('GET', query && parameters.size > 0 ? `${path}?${parameters}` : path)
  }

  post(path, body) {
    return this.call('POST', path, body)
  }

  patch(path, body) {
    return this.call('PATCH', path, body)
  }

  /** The answer's data, or nothing where it has no body. */
  async call(method, path, body) {
    const isForm = body instanceof FormData
    const response = await fetch(this.base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      body: body && !isForm ? JSON.stringify(body) : body,
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    })
    const text = await response.text()
    if (!response.ok) {
      const reason = firstMessage(text)
      throw new Error(`${method} ${path.split('?')[0]} answered ${response.status}: ${reason}`)
    }
    return text ? JSON.parse(text).data : undefined
  }
}

function firstMessage(text) {
  try {
    return JSON.parse(text).errors[0].message
  } catch {
    return text.slice(0, 200)
  }
}
